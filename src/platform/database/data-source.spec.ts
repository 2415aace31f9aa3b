import { describe, expect, it } from '@jest/globals';
import { types } from 'pg';
import { parseJson } from '../json/exact-json.js';
import { timestampIn, TYPES } from './data-source.js';

const parsed: (text: string) => unknown = types.getTypeParser(types.builtins.TIMESTAMPTZ);

describe('a time of the database', () => {
  it.each([
    '2026-11-23 16:11:02.123+00',
    '2026-11-23 16:11:02.1+00',
    '2026-11-23 16:11:02+00',
    '2024-02-29 23:59:59.999+00',
    '0099-01-01 00:00:00+00',
    '1969-12-31 23:59:59.9+00',
    '2026-11-23 16:11:02.123456+00',
    '2026-11-23 16:11:02.123+05:30',
    '2026-11-23 16:11:02-08',
    '12026-11-23 16:11:02+00',
    '0044-03-15 12:00:00+00 BC',
    'infinity',
  ])('%s is what node-postgres makes of it', (text) => {
    expect(timestampIn(text)).toEqual(parsed(text));
  });

  it('is the only type with a parser of its own beside json, whose numbers keep their digits', () => {
    expect(TYPES.getTypeParser(types.builtins.TIMESTAMPTZ)).toBe(timestampIn);
    expect(TYPES.getTypeParser(types.builtins.JSON)).toBe(parseJson);
    for (const oid of [types.builtins.DATE, types.builtins.INT8, types.builtins.JSONB])
      expect(TYPES.getTypeParser(oid)).toBe(types.getTypeParser(oid));
  });
});
