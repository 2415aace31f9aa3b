import { expect, it } from '@jest/globals';
import { faultsOfEntries } from './access-faults.js';

const known = new Set(['a', 'b']);
const faults = (
  entries: { id: string; granted: boolean; tools?: string[] | null }[],
  tools: Set<string> | null,
) =>
  faultsOfEntries(
    'agentId',
    entries,
    (id) => known.has(id),
    () => tools,
  ).map(({ path }) => path);

it('every entry that is unknown, named twice or names no tool is told on its row', () => {
  const entries = [
    { id: 'a', granted: true, tools: ['echo', 'nope'] },
    { id: 'x', granted: true },
    { id: 'a', granted: false },
    { id: 'b', granted: true, tools: null },
  ];
  expect(faults(entries, new Set(['echo']))).toEqual([
    'entries[0].tools[1]',
    'entries[1].agentId',
    'entries[2].agentId',
  ]);
});

it('any name of a tool will do while the tools are not known', () => {
  expect(faults([{ id: 'a', granted: true, tools: ['any'] }], null)).toEqual([]);
});
