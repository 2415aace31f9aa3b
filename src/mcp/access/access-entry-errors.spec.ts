import { expect, it } from '@jest/globals';
import { entryErrors } from './access-entry-errors.js';

const known = new Set(['a', 'b']);
const errorPaths = (
  entries: { id: string; granted: boolean; tools?: string[] | null }[],
  tools: Set<string> | null,
) =>
  entryErrors(
    'agentId',
    entries,
    (id) => known.has(id),
    () => tools,
  ).map(({ path }) => path);

it('reports an unknown id, a repeated id and an unknown tool at the path of each', () => {
  const entries = [
    { id: 'a', granted: true, tools: ['echo', 'nope'] },
    { id: 'x', granted: true },
    { id: 'a', granted: false },
    { id: 'b', granted: true, tools: null },
  ];
  expect(errorPaths(entries, new Set(['echo']))).toEqual([
    'entries[0].tools[1]',
    'entries[1].agentId',
    'entries[2].agentId',
  ]);
});

it('accepts any tool name before the first listing of the server', () => {
  expect(errorPaths([{ id: 'a', granted: true, tools: ['any'] }], null)).toEqual([]);
});
