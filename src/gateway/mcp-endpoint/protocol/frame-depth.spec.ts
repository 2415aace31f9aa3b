import { describe, expect, it } from '@jest/globals';
import { nestsDeeperThan } from './frame-depth.js';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('the depth of a frame', () => {
  it('is that of the deepest object or array', () => {
    expect(nestsDeeperThan(nested(10), 10)).toBe(false);
    expect(nestsDeeperThan(nested(11), 10)).toBe(true);
    expect(nestsDeeperThan(`{"a":${nested(9)},"b":${nested(9)}}`, 10)).toBe(false);
    expect(nestsDeeperThan(`{"a":{"b":${nested(9)}}}`, 10)).toBe(true);
  });

  it('does not count brackets in strings, however they are escaped', () => {
    expect(
      nestsDeeperThan(JSON.stringify([nested(50), `"${nested(50)}`, `\\"${nested(50)}`, '\\']), 10),
    ).toBe(false);
    expect(nestsDeeperThan(`["\\\\",${nested(11)}]`, 10)).toBe(true);
  });

  it('of text that is no JSON is found out without harm', () => {
    expect(nestsDeeperThan(`"${nested(50)}`, 10)).toBe(false);
    expect(nestsDeeperThan(']'.repeat(50) + nested(60), 10)).toBe(false);
  });
});
