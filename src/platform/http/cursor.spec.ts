import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { decodeCursor, encodeCursor } from './page-and-cursor.query.js';
import { ValidationFailed } from './problem.js';

const KEY = ['2026-11-21T02:43:00.000Z', 7];
const cursor = encodeCursor(KEY, '-createdAt');

describe('a cursor', () => {
  it('gives back the sort key it was made of', () => {
    expect(decodeCursor(cursor, '-createdAt')).toEqual(KEY);
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      fc.integer(),
    );
    fc.assert(
      fc.property(fc.array(value), fc.string(), (values, sort) => {
        expect(decodeCursor(encodeCursor(values, sort), sort)).toEqual(values);
      }),
    );
  });

  it('needs no escaping in a URL', () => {
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  it('is refused under another order', () => {
    expect(() => decodeCursor(cursor, 'createdAt')).toThrow(ValidationFailed);
  });

  it('is refused with any character of it changed or cut off', () => {
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      expect(() => decodeCursor(cursor.slice(0, at) + other + cursor.slice(at + 1), '-createdAt')).toThrow();
      expect(() => decodeCursor(cursor.slice(0, at), '-createdAt')).toThrow(ValidationFailed);
    }
  });

  it.each([
    '',
    'x',
    '====',
    'bnVsbA',
    Buffer.from('[]').toString('base64url'),
    Buffer.from('{"length":2}').toString('base64url'),
  ])('is refused as %j, naming `cursor`', (text) => {
    expect(() => decodeCursor(text, 'createdAt')).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [{ path: 'cursor', message: expect.any(String) }],
      }),
    );
  });

  it('is refused with values that no column has, even with a right checksum', () => {
    const made = (values: unknown[]) => encodeCursor(values as string[], 'name');
    for (const values of [[null], [['a']], [{}], [true], ['a\0b'], ['\ud800']])
      expect(() => decodeCursor(made(values), 'name')).toThrow(ValidationFailed);
  });
});
