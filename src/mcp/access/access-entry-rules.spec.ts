import { expect, it } from '@jest/globals';
import { entryErrors } from './access-entry-rules.js';

const known = new Set(['a', 'b']);
const errorPaths = (
  entries: { id: string; granted: boolean; tools?: string[] | null; credentialSet?: string }[],
  tools: Set<string> | null,
) =>
  entryErrors(
    'agentId',
    entries,
    (id) => known.has(id),
    () => ({ tools, sets: new Map([['default', 'the id of the set']]) }),
  ).map(({ path }) => path);

it('reports an unknown id, a repeated id, an unknown tool and an unknown credential set at the path of each', () => {
  const entries = [
    { id: 'a', granted: true, tools: ['echo', 'nope'] },
    { id: 'x', granted: true },
    { id: 'a', granted: false },
    { id: 'b', granted: true, tools: null, credentialSet: 'no-such-set' },
  ];
  expect(errorPaths(entries, new Set(['echo']))).toEqual([
    'entries[0].tools[1]',
    'entries[1].agentId',
    'entries[2].agentId',
    'entries[3].credentialSet',
  ]);
});

it('accepts any tool name before the first listing of the server', () => {
  expect(errorPaths([{ id: 'a', granted: true, tools: ['any'] }], null)).toEqual([]);
});
