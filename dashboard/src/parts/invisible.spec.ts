import { describe, expect, it } from 'vitest';
import { piecesOf } from './marked-text';

const shown = (text: string) =>
  piecesOf(text)
    .map((piece) => ('text' in piece ? piece.text : `[${piece.marker}]`))
    .join('');

describe('piecesOf', () => {
  it.each([
    ['plain text, tab\tand line\nbreak', 'plain text, tab\tand line\nbreak'],
    ['a\r\nb', 'a\nb'],
    ['zero\u200Bwidth', 'zero[U+200B]width'],
    ['pay \u202Eeerf', 'pay [U+202E]eerf'],
    ['\u2066isolate\u2069', '[U+2066]isolate[U+2069]'],
    ['\u{E0041}\u{E0042}', '[U+E0041][U+E0042]'],
    ['bell\u0007', 'bell[U+0007]'],
    ['soft\u00ADhyphen', 'soft[U+00AD]hyphen'],
    ['a\uFE0Fb', 'a[U+FE0F]b'],
  ])('shows %j as %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each(['❤️', '👩‍💻', '1️⃣', 'naïve', 'שלום', '日本語'])('leaves %s as it is', (text) => {
    expect(piecesOf(text)).toEqual([{ text }]);
  });

  it('marks selectors that carry data after a pictogram', () => {
    expect(shown('❤\uFE0F\uFE0F')).toBe('❤\uFE0F[U+FE0F]');
    expect(shown('😀\u{E0100}')).toBe('😀[U+E0100]');
  });

  it('names what a character does', () => {
    expect(piecesOf('\u202E')).toEqual([{ marker: 'U+202E', name: 'right-to-left override' }]);
  });
});
