import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { ConfigurationError } from '../exit/exit-codes.js';

export const isOrigin = (value: string) => URL.canParse(value) && new URL(value).origin === value;
export const isHostAndPort = (value: string) => /^(\[[0-9a-fA-F:]+\]|[^\s:/]+):\d{1,5}$/.test(value);
export const isAddressOrRange = (value: string) => {
  const [address, bits, ...rest] = value.split('/');
  return isIP(address ?? '') !== 0 && rest.length === 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
};

/** Whether only programs on this host can reach the address. */
export const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\./.test(host);

/**
 * A reserved character of a password that is not percent-encoded ends the host early. The rest of the password would be
 * taken for the host and appear in messages.
 */
export const isDatabaseUrl = (value: string) => {
  // A URL without a host, as for a socket, is valid for PostgreSQL only.
  const whole = value.replace(/@\//, '@localhost/');
  if (!URL.canParse(whole)) return false;
  const { pathname, search, hash } = new URL(whole);
  return !`${pathname}${search}${hash}`.includes('@');
};

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

/** Names every invalid setting in one message. */
export class SettingsError extends ConfigurationError {}

/** Reads a file that a setting names. @throws {SettingsError} when it cannot be read */
export function readNamedFile(what: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `${what} cannot be read (${code}). Name an existing file that the user of the service can read.`,
    );
  }
}
