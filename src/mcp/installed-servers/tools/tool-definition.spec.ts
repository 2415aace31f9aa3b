import { describe, expect, it } from '@jest/globals';
import { definitionsOf, hashOf, ToolsUnusable } from './tool-definition.js';

const tool = { name: 'echo', inputSchema: { type: 'object' } };

describe('the definition of a tool', () => {
  it('leaves out what is not pinned', () => {
    const listed = { ...tool, title: 'Echo', _meta: { x: 1 }, icons: [], execution: {} };
    expect(definitionsOf([listed])).toEqual([
      { name: 'echo', title: 'Echo', inputSchema: { type: 'object' } },
    ]);
  });

  it('of the first of one name counts', () => {
    expect(definitionsOf([tool, { ...tool, title: 'Second' }])).toEqual([tool]);
  });

  it.each([['\0'], ['\ud800'], ['x\udc00']])('is refused with %j anywhere in it', (text) => {
    for (const bad of [
      { description: text },
      { inputSchema: { [text]: 1 } },
      { annotations: { deep: [text] } },
    ])
      expect(() => definitionsOf([{ ...tool, ...bad }])).toThrow(ToolsUnusable);
  });
});

describe('the hash of a tool', () => {
  it('does not depend on the order of keys', () => {
    const one = { ...tool, annotations: { a: 1, b: [{ c: 1, d: 2 }] } };
    const other = { annotations: { b: [{ d: 2, c: 1 }], a: 1 }, ...tool };
    expect(hashOf(one)).toBe(hashOf(other));
  });

  it('changes with every field', () => {
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
