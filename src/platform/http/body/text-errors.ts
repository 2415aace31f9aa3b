import type { FieldError } from '../problem/problem.js';
import { textError } from './text-rules.js';

/** Of one object (contract §1.4): class-transformer takes time in the square of them, 5.6 s for 70,000. */
const MOST_FIELDS = 1_000;

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
