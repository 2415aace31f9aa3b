import { describe, expect, it } from '@jest/globals';
import { JsonOutline } from './json-outline.js';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const depthOf = (text: string) => {
  const outline = new JsonOutline();
  outline.feed(Buffer.from(text));
  return outline.deepest;
};

describe('the outline of a JSON text', () => {
  it('has the depth of the deepest object or array', () => {
    expect(depthOf(nested(10))).toBe(10);
    expect(depthOf(`{"a":${nested(9)},"b":${nested(9)}}`)).toBe(10);
    expect(depthOf(`{"a":{"b":${nested(9)}}}`)).toBe(11);
  });

  it('does not count brackets in strings, however they are escaped', () => {
    expect(depthOf(JSON.stringify([nested(50), `"${nested(50)}`, `\\"${nested(50)}`, '\\']))).toBe(1);
    expect(depthOf(`["\\\\",${nested(11)}]`)).toBe(12);
  });

  it('survives text that is not JSON', () => {
    expect(depthOf(`"${nested(50)}`)).toBe(0);
    expect(depthOf(']'.repeat(50) + nested(60))).toBe(10);
  });

  it('has the depth of a text that arrives byte by byte', () => {
    const outline = new JsonOutline();
    for (const byte of Buffer.from(`{"id":7,"a":"\\"[[",${JSON.stringify('b')}:${nested(9)}}`))
      outline.feed(Buffer.from([byte]));
    expect([outline.deepest, outline.id]).toEqual([10, 7]);
  });
});
