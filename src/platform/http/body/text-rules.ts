import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationOptions } from 'class-validator';

/** The length limits of a text: `min` and `max` count code points, or bytes of UTF-8. */
export interface TextRule {
  min: number;
  max: number;
  unit: 'codePoints' | 'bytes';
  /** Whether white space at both ends is removed before anything is counted, as for titles and names (contract §1). */
  trim?: boolean;
}

/** Declares a text field. Every accepted text can be stored and is returned byte for byte (contract §1). */
export function IsText(rule: TextRule, options?: ValidationOptions): PropertyDecorator {
  const check = ValidateBy(
    {
      name: 'isText',
      validator: {
        validate: (value: unknown) => errorOf(value, rule) === null,
        defaultMessage: (failed) => errorOf(failed?.value, rule) ?? 'is not valid text',
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

/** Returns what is wrong with a text whatever its length, as the end of a sentence, or null. */
export function textError(value: string): string | null {
  if (value.includes('\0')) return 'must not contain a NUL character';
  if (/\p{Surrogate}/u.test(value)) return 'must be Unicode without unpaired surrogates';
  return null;
}

/** Counts code points: a surrogate pair is one. */
export function codePointsIn(value: string): number {
  return Array.from(value).length;
}

function errorOf(value: unknown, rule: TextRule): string | null {
  if (typeof value !== 'string') return 'must be text';
  return textError(value) ?? lengthError(value, rule);
}

function lengthError(value: string, { min, max, unit }: TextRule): string | null {
  const length = unit === 'bytes' ? Buffer.byteLength(value) : codePointsIn(value);
  const units = unit === 'bytes' ? 'bytes of UTF-8' : 'characters';
  if (length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} ${units}`;
  if (length > max) return `must have at most ${max} ${units}`;
  return null;
}
