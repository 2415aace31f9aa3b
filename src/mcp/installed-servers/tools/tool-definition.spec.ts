import { describe, expect, it } from '@jest/globals';
import { definitionsOf, hashOf, ToolsUnusable } from './tool-definition.js';

const tool = { name: 'echo', inputSchema: { type: 'object' } };

describe('definitionsOf', () => {
  it('leaves out fields that the hash does not cover', () => {
    const listed = { ...tool, title: 'Echo', _meta: { x: 1 }, icons: [], execution: {} };
    expect(definitionsOf([listed])).toEqual([
      { name: 'echo', title: 'Echo', inputSchema: { type: 'object' } },
    ]);
  });

  it('keeps the first of two tools with the same name', () => {
    expect(definitionsOf([tool, { ...tool, title: 'Second' }])).toEqual([tool]);
  });

  it('rejects a tool with a name that no index takes', () => {
    expect(definitionsOf([{ ...tool, name: 'é'.repeat(512) }])).toHaveLength(1);
    expect(() => definitionsOf([{ ...tool, name: 'é'.repeat(513) }])).toThrow(ToolsUnusable);
  });

  it('shows invisible text as escapes wherever a model reads a description', () => {
    const hidden = 'Reads docs.\u{e0073}\u202e';
    const property = { type: 'string', description: hidden };
    const [definition] = definitionsOf([
      { ...tool, title: hidden, description: hidden, inputSchema: { properties: { x: property } } },
    ]);
    const shown = 'Reads docs.\\u{e0073}\\u{202e}';
    expect(definition).toEqual({
      ...tool,
      title: shown,
      description: shown,
      inputSchema: { properties: { x: { type: 'string', description: shown } } },
    });
  });

  it.each([['\0'], ['\ud800'], ['x\udc00']])('rejects a tool with %j in any of its texts', (text) => {
    for (const bad of [
      { description: text },
      { inputSchema: { [text]: 1 } },
      { annotations: { deep: [text] } },
    ])
      expect(() => definitionsOf([{ ...tool, ...bad }])).toThrow(ToolsUnusable);
  });
});

describe('hashOf', () => {
  it('returns the same hash for any order of keys', () => {
    const one = { ...tool, annotations: { a: 1, b: [{ c: 1, d: 2 }] } };
    const other = { annotations: { b: [{ d: 2, c: 1 }], a: 1 }, ...tool };
    expect(hashOf(one)).toBe(hashOf(other));
  });

  it('returns another hash when any field changes', () => {
    const others = [
      { name: 'other' },
      { title: '' },
      { description: '' },
      { inputSchema: {} },
      { outputSchema: {} },
      { annotations: {} },
    ];
    const hashes = [tool, ...others.map((field) => ({ ...tool, ...field }))].map(hashOf);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
