import type { FieldError } from '../problem/problem.js';
import { textError } from './text-rules.js';

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
  return Object.entries(value).flatMap(([key, item]) => textErrorsOf(key, item, path));
}

function textErrorsOf(key: string, item: unknown, parent: string): FieldError[] {
  const message = textError(key);
  if (message !== null) return [{ path: parent, message: `has a key that ${message}` }];
  return textErrorsIn(item, parent === '' ? key : `${parent}.${key}`);
}
