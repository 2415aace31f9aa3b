import { describe, expect, it } from 'vitest';
import { visible } from './visible-text';

describe('visible', () => {
  it('replaces characters that reverse the direction or have no width', () => {
    expect(visible('a\u202Eb\u200Bc')).toBe('a⟨U+202E⟩b⟨U+200B⟩c');
  });

  it('replaces tag characters, which hide whole sentences', () => {
    expect(visible('x\u{E0041}')).toBe('x⟨U+E0041⟩');
  });

  it('keeps line breaks, tabs, accents and other scripts', () => {
    const text = 'é\n\tשלום 漢字 😀';
    expect(visible(text)).toBe(text);
  });
});
