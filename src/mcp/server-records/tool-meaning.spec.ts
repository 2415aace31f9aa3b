import { describe, expect, it } from '@jest/globals';
import { hashOf, meaningOf, type ToolDefinition } from './tool-definition.js';

const tool = { name: 'echo', inputSchema: { type: 'object' } };

describe('hashOf', () => {
  it('returns the same hash for any order of keys, and for other icons, execution and _meta', () => {
    const one = { ...tool, annotations: { a: 1, b: [{ c: 1, d: 2 }] } };
    const other = {
      _meta: {},
      icons: [],
      execution: {},
      annotations: { b: [{ d: 2, c: 1 }], a: 1 },
      ...tool,
    };
    expect(hashOf(one)).toBe(hashOf(other));
  });

  it('returns another hash when any field that a model reads changes', () => {
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

describe('meaningOf', () => {
  const schema = (fields: object): ToolDefinition => ({
    ...tool,
    inputSchema: { type: 'object', ...fields },
  });

  it.each([
    ['required', schema({ required: ['a', 'b'] }), schema({ required: ['b', 'a'] })],
    [
      'enum',
      schema({ properties: { x: { enum: ['a', 'b'] } } }),
      schema({ properties: { x: { enum: ['b', 'a'] } } }),
    ],
    [
      'type',
      schema({ items: { type: ['null', 'string'] } }),
      schema({ items: { type: ['string', 'null'] } }),
    ],
    ['members', schema({ properties: { a: {}, b: {} } }), schema({ properties: { b: {}, a: {} } })],
    ['what is repaired', { ...tool, inputSchema: {}, title: null } as unknown as ToolDefinition, tool],
    ['icons', { ...tool, icons: [] }, tool],
    ['members of its maker', { ...tool, tags: ['a'] } as ToolDefinition, tool],
  ])('is the same whatever the order or form of %s', (_, one, other) => {
    expect(meaningOf(one)).toBe(meaningOf(other));
  });

  it.each([
    ['an enum of numbers', schema({ enum: [1, 2] }), schema({ enum: [2, 1] })],
    ['examples', schema({ examples: ['a', 'b'] }), schema({ examples: ['b', 'a'] })],
    [
      'a default',
      schema({ default: { required: ['a', 'b'] } }),
      schema({ default: { required: ['b', 'a'] } }),
    ],
    ['one more name', schema({ required: ['a'] }), schema({ required: ['a', 'b'] })],
    ['an invalid form', schema({}), schema({ required: [1] })],
  ])('differs with %s', (_, one, other) => {
    expect(meaningOf(one)).not.toBe(meaningOf(other));
  });
});
