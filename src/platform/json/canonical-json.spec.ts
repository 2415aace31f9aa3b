import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './exact-json.js';

describe('canonical JSON', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: 1, a: [{ d: 1, c: 2 }] })).toBe('{"a":[{"c":2,"d":1}],"b":1}');
  });

  it.each([
    ['1e999', 'null'],
    ['{"a":[-1e999,1]}', '{"a":[null,1]}'],
    ['{"b":{"c":1e400},"a":"x"}', '{"a":"x","b":{"c":null}}'],
  ])('writes a number beyond the range of JavaScript as null: %s', (text, canonical) => {
    expect(canonicalJson(JSON.parse(text))).toBe(canonical);
  });
});
