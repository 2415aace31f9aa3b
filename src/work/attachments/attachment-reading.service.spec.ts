import { describe, expect, it } from '@jest/globals';
import { textPart } from './attachment-download-and-reading.service.js';

const of = (text: string) => Buffer.from(text, 'utf8');

describe('a part of a text', () => {
  it.each(['', 'plain', 'é', '€', '🙂', 'aé€🙂'])('is the whole of %j at the end of a file', (text) => {
    expect(textPart(of(text), true)).toEqual({ text, size: of(text).length });
  });

  it.each(['é', '€', '🙂'])('leaves out %j where it is cut, and begins with it in the next part', (last) => {
    const bytes = of(`ab${last}`);
    for (let cut = 3; cut < bytes.length; cut += 1)
      expect(textPart(bytes.subarray(0, cut), false)).toEqual({ text: 'ab', size: 2 });
    expect(textPart(bytes, false)).toEqual({ text: `ab${last}`, size: bytes.length });
    expect(textPart(bytes.subarray(2), true)).toEqual({ text: last, size: bytes.length - 2 });
  });

  it.each([
    ['a NUL', [97, 0, 98]],
    ['bytes outside of UTF-8', [0x89, 0x50, 0x4e, 0x47]],
    ['only continuations', [0x80, 0x80, 0x80, 0x80, 0x80]],
  ])('is null where there are %s', (_, bytes) => {
    expect(textPart(Buffer.from(bytes), false)).toBeNull();
    expect(textPart(Buffer.from(bytes), true)).toBeNull();
  });

  it('is null where the file ends within a character', () => {
    expect(textPart(of('a€').subarray(0, 2), true)).toBeNull();
  });
});
