import { describe, expect, it } from '@jest/globals';
import { visibleText, withVisibleDescriptions } from './visible-text.js';

describe('the text of a tool', () => {
  it.each([
    ['tags', 'Reads.\u{e0073}\u{e0065}', 'Reads.\\u{e0073}\\u{e0065}'],
    ['bidi controls', 'a\u202eb\u2066c', 'a\\u{202e}b\\u{2066}c'],
    ['zero width characters', 'a\u200bb\u200dc\ufeff', 'a\\u{200b}b\\u{200d}c\\u{feff}'],
    ['escape sequences', 'a\u001b[2Jb', 'a\\u{1b}[2Jb'],
    ['private use', '\ue000', '\\u{e000}'],
    ['fillers', 'a\u3164b\u115f', 'a\\u{3164}b\\u{115f}'],
    ['variation selectors', 'a\ufe0fb\u{e0101}c\u180b', 'a\\u{fe0f}b\\u{e0101}c\\u{180b}'],
    ['more of them than an emoji has', '❤\ufe0f\ufe0f\ufe00', '❤\ufe0f\\u{fe0f}\\u{fe00}'],
    ['what is ignored by default', 'a\u034fb\u17b4', 'a\\u{34f}b\\u{17b4}'],
    [
      'blanks that look like another',
      'a\u00a0b\u2003c\u202fd\u205f\u1680',
      'a\\u{a0}b\\u{2003}c\\u{202f}d\\u{205f}\\u{1680}',
    ],
    ['line breaks that no person types', 'a\u2028b\u2029c\u0085', 'a\\u{2028}b\\u{2029}c\\u{85}'],
    ['the blank of braille', 'a\u2800b', 'a\\u{2800}b'],
    ['an ideographic blank between letters of a command', 'rm\u3000-rf', 'rm\\u{3000}-rf'],
    ['joiners beside a form of nothing', 'a\ufe0f\u200dé', 'a\\u{fe0f}\\u{200d}é'],
    ['joiners beside what is hidden', 'é\ufe01\u200dé', 'é\\u{fe01}\\u{200d}é'],
  ])('shows %s', (_, hidden, shown) => {
    expect(visibleText(hidden)).toBe(shown);
  });

  it.each([
    'Plain text,\n\twith lines.',
    'Grüße, 日本語, العربية',
    '👩‍💻 and 🏳️‍🌈, ❤\ufe0f and 1\ufe0f\u20e3',
    '設定\u3000一覧',
    'می‌خواهم',
    '',
  ])('leaves %j as it is', (text) => {
    expect(visibleText(text)).toBe(text);
  });

  it('is shown in titles and descriptions at any depth, and not where values have a meaning', () => {
    const hidden = 'a\u200bb';
    const schema = { properties: { x: { description: hidden, enum: [hidden], default: hidden } } };
    expect(withVisibleDescriptions({ name: hidden, description: hidden, inputSchema: schema })).toEqual({
      name: hidden,
      description: 'a\\u{200b}b',
      inputSchema: { properties: { x: { description: 'a\\u{200b}b', enum: [hidden], default: hidden } } },
    });
  });
});
