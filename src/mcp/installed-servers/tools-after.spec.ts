import { expect, it } from '@jest/globals';
import { hashOf, type ToolDefinition } from '../server-records/tool-definition.js';
import { toolsAfter } from './upgrade-plans.service.js';

const tool = (name: string, fields: object = {}): ToolDefinition => ({
  name,
  inputSchema: { type: 'object' },
  ...fields,
});
const valid = (definition: ToolDefinition) => ({ definition, invalid: null });

const known = (definition: ToolDefinition, approvedHash: string | null, hash = hashOf(definition)) => ({
  name: definition.name,
  definition,
  hash,
  approvedHash,
  present: true,
  invalidReason: null,
  approvedDefinition: null,
  approvedWritten: null,
});

it('returns the state that each tool would have, by name', () => {
  const before = [
    known(tool('same'), hashOf(tool('same'))),
    known(tool('other', { title: 'Other' }), 'old'),
    known(tool('gone'), 'old'),
    known(tool('never'), null),
  ];
  const listed = ['same', 'other', 'never', 'added'].map((name) => valid(tool(name)));
  expect(toolsAfter(before, [...listed, { definition: tool('odd'), invalid: 'it is odd' }])).toEqual([
    { name: 'added', state: 'new' },
    { name: 'gone', state: 'removed' },
    { name: 'never', state: 'new' },
    { name: 'odd', state: 'invalid' },
    { name: 'other', state: 'changed' },
    { name: 'same', state: 'approved' },
  ]);
});

it('takes a tool whose sets have another order for the approved one', () => {
  const schema = (...required: string[]) => ({ inputSchema: { type: 'object', required } });
  const before = known(tool('same', schema('a', 'b')), 'stored', 'stored');
  expect(toolsAfter([before], [valid(tool('same', schema('b', 'a')))])).toEqual([
    { name: 'same', state: 'approved' },
  ]);
});

it('takes a changed tool that means again what was approved for the approved one', () => {
  const at = (start: string) => tool('saves', { description: `Saves to /run/${start}.` });
  const changed = known(tool('saves', { description: 'Sends it away.' }), hashOf(at('1')));
  const before = { ...changed, approvedDefinition: at('1') };
  const own = /\/run\/\d/g;
  expect(toolsAfter([before], [valid(at('2'))], own)).toEqual([{ name: 'saves', state: 'approved' }]);
  expect(toolsAfter([{ ...before, approvedHash: 'other' }], [valid(at('2'))], own)).toEqual([
    { name: 'saves', state: 'changed' },
  ]);
});
