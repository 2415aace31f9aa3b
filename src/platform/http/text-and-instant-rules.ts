import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationOptions } from 'class-validator';
import type { FieldError } from './problem.js';
import { MOST_FIELDS } from './request-body.js';

/** The length limits of a text: `min` and `max` count code points, or bytes of UTF-8. */
export interface TextRule {
  min: number;
  max: number;
  unit: 'codePoints' | 'bytes';
  /** Whether white space at both ends is removed before anything is counted, as for titles and names (contract §1). */
  trim?: boolean;
  /** Whether it stands within a line, such as one of the log, so that it may have no control characters. */
  oneLine?: boolean;
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

/** Declares a name: 1 to 200 code points, without white space at both ends (contract §1). */
export function IsName(rule: Pick<TextRule, 'oneLine'> = {}): PropertyDecorator {
  return IsText({ min: 1, max: 200, unit: 'codePoints', trim: true, ...rule });
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
  if (rule.oneLine && /\p{Cc}/u.test(value))
    return 'must not contain control characters, such as a line break';
  return textError(value) ?? lengthError(value, rule);
}

function lengthError(value: string, { min, max, unit }: TextRule): string | null {
  const length = unit === 'bytes' ? Buffer.byteLength(value) : codePointsIn(value);
  const units = unit === 'bytes' ? 'bytes of UTF-8' : 'characters';
  if (length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} ${units}`;
  if (length > max) return `must have at most ${max} ${units}`;
  return null;
}

/**
 * Returns every text of a parsed value that cannot be stored, keys included, each with its path. It runs before any
 * validator: those of class-validator throw on a lone surrogate (`encodeURI` in `isEmail`), which would be a 500.
 */
export function textErrorsIn(value: unknown, path = ''): FieldError[] {
  if (typeof value === 'string') {
    const message = textError(value);
    return message === null ? [] : [{ path, message }];
  }
  if (Array.isArray(value)) return value.flatMap((item, at) => textErrorsIn(item, `${path}[${at}]`));
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  if (entries.length > MOST_FIELDS)
    return [{ path, message: `may have at most ${MOST_FIELDS} fields, not ${entries.length}` }];
  return entries.flatMap(([key, item]) => textErrorsOf(key, item, path));
}

function textErrorsOf(key: string, item: unknown, parent: string): FieldError[] {
  const message = textError(key);
  if (message !== null) return [{ path: parent, message: `has a key that ${message}` }];
  return textErrorsIn(item, parent === '' ? key : `${parent}.${key}`);
}

const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** The message for any other value. */
export const INSTANT_MESSAGE = 'must be an instant such as 2026-11-21T09:30:00Z, with a day that exists';

/**
 * Turns ISO 8601 with a zone into a Date; any other value stays unchanged and fails validation. `Date` alone would take
 * 30 February for 2 March.
 */
export const toInstant = ({ value }: { value: unknown }) => {
  const [, year, month, day] = (typeof value === 'string' && ISO_8601.exec(value)) || [];
  if (typeof value !== 'string' || day === undefined) return value;
  if (Number(day) < 1 || Number(day) > daysOf(Number(year), Number(month))) return value;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? value : instant;
};

/** Returns the last day of a month; of none for a month that does not exist. */
function daysOf(year: number, month: number): number {
  return month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0;
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns the longest beginning of a text that has at most so many bytes of UTF-8. No character is cut in two. The result
 * is a copy: a slice would keep the whole text in memory for as long as the slice is kept.
 */
export function cutToBytes(text: string, mostBytes: number): string {
  if (text.length * 3 <= mostBytes) return text;
  const bytes = new Uint8Array(mostBytes);
  const { read, written } = new TextEncoder().encodeInto(text, bytes);
  return read === text.length ? text : UTF8.decode(bytes.subarray(0, written));
}

/** Returns a text in a form that the database accepts: NUL and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd');
}
