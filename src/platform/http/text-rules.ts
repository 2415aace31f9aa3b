import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationOptions } from 'class-validator';

/** How long a text may be: `min` and `max` count code points, or bytes of UTF-8. */
export interface TextRule {
  min: number;
  max: number;
  unit: 'codePoints' | 'bytes';
  /** White space at both ends is taken off before anything is counted: titles and names (spec §1). */
  trim?: boolean;
}

/** A text field: what is accepted can be stored and comes back byte for byte (spec §1). */
export function IsText(rule: TextRule, options?: ValidationOptions): PropertyDecorator {
  const check = ValidateBy(
    {
      name: 'isText',
      validator: {
        validate: (value: unknown) => faultOf(value, rule) === null,
        defaultMessage: (failed) => faultOf(failed?.value, rule) ?? 'is not valid text',
      },
    },
    options,
  );
  const trim = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.trim() : value,
  );
  return (target, property) => {
    check(target, property as string);
    if (rule.trim) trim(target, property);
  };
}

/** What is wrong with a text whatever its length, as the end of a sentence; null where nothing is. */
export function textFault(value: string): string | null {
  if (value.includes('\0')) return 'must not hold a NUL character';
  if (/\p{Surrogate}/u.test(value)) return 'must be Unicode without halves of surrogate pairs';
  return null;
}

/** Characters as people count them: a surrogate pair is one. */
export function codePointsIn(value: string): number {
  return Array.from(value).length;
}

function faultOf(value: unknown, rule: TextRule): string | null {
  if (typeof value !== 'string') return 'must be text';
  return textFault(value) ?? lengthFault(value, rule);
}

function lengthFault(value: string, { min, max, unit }: TextRule): string | null {
  const length = unit === 'bytes' ? Buffer.byteLength(value) : codePointsIn(value);
  const units = unit === 'bytes' ? 'bytes of UTF-8' : 'characters';
  if (length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} ${units}`;
  if (length > max) return `must have at most ${max} ${units}`;
  return null;
}
