import { describe, expect, it } from 'vitest';
import { snippetsFor } from './connect-tab';

const snippets = snippetsFor('https://work.example.com/mcp');

describe('snippetsFor', () => {
  it('names the address and the variable of the key in every snippet', () => {
    for (const { text } of snippets) {
      expect(text).toContain('https://work.example.com/mcp');
      expect(text).toContain('AWP_AGENT_KEY');
    }
  });

  it('never holds a key', () => {
    expect(snippets.map(({ text }) => text).join('\n')).not.toMatch(/awp_/);
  });

  it('returns valid JSON for the clients that read JSON', () => {
    for (const { place, text } of snippets)
      if (place?.endsWith('.json')) expect(() => JSON.parse(text)).not.toThrow();
  });
});
