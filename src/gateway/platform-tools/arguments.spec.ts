import { expect, it } from '@jest/globals';
import { platformTools } from '../agent-tools/agent-tools.service.js';
import { withoutAbsent } from './arguments.js';

const of = (tool: string, given: unknown) =>
  withoutAbsent(given, platformTools.find(({ toolName }) => toolName === tool)!.inputSchema);

it('leaves out optional arguments that are null', () => {
  expect(of('list_issues', { q: null, cursor: null, limit: null, status: 'Open' })).toEqual({
    status: 'Open',
  });
});

it('leaves them out at any depth', () => {
  const schema = {
    properties: { leases: { items: { properties: { issueId: {}, token: {} }, required: ['issueId'] } } },
  };
  const given = {
    leases: [
      { issueId: null, token: null },
      { issueId: 'a', token: 1 },
    ],
  };
  expect(withoutAbsent(given, schema)).toEqual({ leases: [{ issueId: null }, { issueId: 'a', token: 1 }] });
});

it('keeps null where it is a value, where the argument is required, and where the tool has no such argument', () => {
  const given = { issueId: null, description: null, goalId: null, own: null };
  expect(of('update_issue', { ...given, version: null })).toEqual(given);
});

it.each([[null], ['text'], [5], [undefined]])('returns %j as it is', (given) => {
  expect(of('list_issues', given)).toBe(given);
});
