import { describe, expect, it } from '@jest/globals';
import { visibleText, withVisibleDescriptions } from './server-text.js';

describe('the text of a tool', () => {
  it.each([
    ['tags', 'Reads.\u{e0073}\u{e0065}', 'Reads.\\u{e0073}\\u{e0065}'],
    ['bidi controls', 'a\u202eb\u2066c', 'a\\u{202e}b\\u{2066}c'],
    ['zero width characters', 'a\u200bb\u200dc\ufeff', 'a\\u{200b}b\\u{200d}c\\u{feff}'],
    ['escape sequences', 'a\u001b[2Jb', 'a\\u{1b}[2Jb'],
    ['private use', '\ue000', '\\u{e000}'],
    ['fillers', 'a\u3164b', 'a\\u{3164}b'],
  ])('shows %s', (_, hidden, shown) => {
    expect(visibleText(hidden)).toBe(shown);
  });

  it.each(['Plain text,\n\twith lines.', 'Grüße, 日本語, العربية', '👩‍💻 and 🏳️‍🌈', 'می‌خواهم', ''])(
    'leaves %j as it is',
    (text) => {
      expect(visibleText(text)).toBe(text);
    },
  );

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
