import { z } from 'zod';

export const boolean = z.enum(['true', 'false']).transform((value) => value === 'true');
/** Numbers are no secrets, but another setting's value may be in the wrong place. */
const shown = (value: unknown) => (/^[-+\d.eE_]{1,16}$/.test(String(value)) ? String(value) : '…');
export const count = (minimum: number, maximum: number) =>
  z
    .string()
    .refine((value) => /^\d{1,12}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum, {
      error: ({ input }) => `must be a whole number from ${minimum} to ${maximum}, not '${shown(input)}'`,
    })
    .transform(Number);
export const decimal = (minimum: number, maximum: number) =>
  z
    .string()
    .refine(
      (value) => /^\d{1,6}(\.\d{1,6})?$/.test(value) && Number(value) >= minimum && Number(value) <= maximum,
      { error: ({ input }) => `must be a number from ${minimum} to ${maximum}, not '${shown(input)}'` },
    )
    .transform(Number);
export const text = z.string().min(1);
export const list = (separator: string, item: (value: string) => boolean, what: string) =>
  z
    .string()
    .transform((value) =>
      value
        .split(separator)
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((values) => values.every(item), `must be ${what}, separated by '${separator}'`);
