import { describe, expect, it } from 'vitest';
import { appended, CHUNK, prepended, sizeOf, windowOf } from './byte-window';

const encoder = new TextEncoder();
const file = (text: string) => {
  const bytes = encoder.encode(text);
  return (from: number, to = bytes.length) => ({ bytes: bytes.slice(from, to), from, size: bytes.length });
};
const textsOf = ({ lines }: { lines: readonly { text: string }[] }) => lines.map(({ text }) => text);

describe('a window on a file', () => {
  const part = file('one\ntwo\r\nthrée\nfour\n');

  it('shows whole lines, also where a read begins and ends within one', () => {
    expect(textsOf(windowOf(part(0)))).toEqual(['one', 'two', 'thrée', 'four']);
    expect(textsOf(windowOf(part(2, 12)))).toEqual(['two']);
  });

  it('grows in both directions to the same lines as the whole', () => {
    const whole = windowOf(part(0));
    let window = windowOf(part(6, 18));
    expect(textsOf(window)).toEqual(['thrée']);
    window = appended(window, part(window.to));
    window = prepended(window, part(0, window.from));
    expect(window).toEqual(whole);
  });

  it('reads a last line again while it is written', () => {
    const before = windowOf(file('one\nhalf')(0));
    expect(textsOf(before)).toEqual(['one', 'half']);
    const later = appended(before, file('one\nhalf a line\nnext\n')(before.to));
    expect(textsOf(later)).toEqual(['one', 'half a line', 'next']);
    expect(later.lines[1]!.key).toBe(before.lines[1]!.key);
  });

  it('cuts a line that is longer than all that was read, and goes on behind it', () => {
    const giant = file(`${'x'.repeat(100)}\nend`);
    const window = windowOf(giant(0, 40));
    expect([textsOf(window), window.to]).toEqual([['x'.repeat(40)], 40]);
    expect(textsOf(appended(window, giant(40)))).toEqual(['x'.repeat(40), 'x'.repeat(60), 'end']);
  });

  it('holds a bounded part of a file of any size', () => {
    const line = `${'y'.repeat(1_023)}\n`;
    const chunk = encoder.encode(line.repeat(CHUNK / 1_024));
    const size = 1_000_000_000;
    let window = windowOf({ bytes: chunk, from: 0, size });
    for (let read = 0; read < 40; read += 1)
      window = appended(window, { bytes: chunk, from: window.to, size });
    expect(window.lines.length).toBeLessThanOrEqual(4_097);
    expect(window.to).toBe(41 * CHUNK);
    for (let read = 0; read < 20; read += 1)
      window = prepended(window, { bytes: chunk, from: window.from - CHUNK, size });
    expect(window.lines.length).toBeLessThanOrEqual(4_097);
    expect(window.to - window.from).toBeLessThanOrEqual(4_097 * 1_024);
  });
});

describe('sizes', () => {
  it.each([
    [18, '18 B'],
    [4_100, '4.1 kB'],
    [2_500_000, '2.5 MB'],
    [1_070_000_000, '1.07 GB'],
  ])('of %i bytes are %s', (bytes, words) => {
    expect(sizeOf(bytes)).toBe(words);
  });
});
