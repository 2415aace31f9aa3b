import { expect, it } from '@jest/globals';
import { hashOf } from '../tools/tool-definition.js';
import { toolsAfter } from './tools-after.js';

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

it('returns the state that each tool would have, by name', () => {
  const known = (name: string, approvedHash: string | null) => ({
    name,
    hash: 'old',
    approvedHash,
    present: true,
  });
  const kept = [
    known('same', hashOf(tool('same'))),
    known('other', 'old'),
    known('gone', 'old'),
    known('never', null),
  ];
  expect(toolsAfter(kept, ['same', 'other', 'never', 'added'].map(tool))).toEqual([
    { name: 'added', state: 'new' },
    { name: 'gone', state: 'removed' },
    { name: 'never', state: 'new' },
    { name: 'other', state: 'changed' },
    { name: 'same', state: 'approved' },
  ]);
});
