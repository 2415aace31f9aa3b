import { describe, expect, it } from 'vitest';
import type { AccessMatrix } from '../../api/types';
import {
  edited,
  grantAt,
  isEdited,
  noEdits,
  requestsOf,
  savedGrant,
  withoutServer,
  wordsOf,
  type Grant,
} from './grants';
import { sentencesOf } from './sentences';

const byGrant = { granted: true, ask: null, approverRole: 'Editor', source: 'grant' } as const;
const matrix: AccessMatrix = {
  agents: [
    { id: 'a', name: 'Backend coder', disabled: false },
    { id: 'b', name: 'Triage', disabled: false },
  ],
  servers: [
    { id: 's', name: 'GitHub', status: 'enabled', tools: 22 },
    { id: 't', name: 'Slack', status: 'error', tools: null },
  ],
  cells: [
    { agentId: 'a', serverId: 's', tools: ['read', 'search'], ...byGrant },
    { agentId: 'b', serverId: 's', tools: null, ...byGrant },
  ],
};
const at = (agentId: string, serverId: string) => ({ agentId, serverId });
const edit = (...all: [string, string, Grant][]) =>
  all.reduce(
    (edits, [agentId, serverId, grant]) => edited(matrix, edits, at(agentId, serverId), grant),
    noEdits,
  );
const say = (...all: [string, string, Grant][]) =>
  sentencesOf(matrix, edit(...all)).map(({ agent, verb, server, end }) => `${agent} ${verb} ${server}${end}`);

describe('the saved grant of a pair', () => {
  it.each([
    ['a', 's', ['read', 'search']],
    ['b', 's', 'all'],
    ['a', 't', 'none'],
  ])('of %s and %s is %j', (agentId, serverId, grant) => {
    expect(savedGrant(matrix, at(agentId, serverId))).toEqual(grant);
  });
});

describe('an edit', () => {
  it('is shown in place of what is saved', () => {
    const edits = edit(['a', 't', 'all']);
    expect([grantAt(matrix, edits, at('a', 't')), isEdited(edits, at('a', 't'))]).toEqual(['all', true]);
    expect(grantAt(matrix, edits, at('b', 's'))).toBe('all');
  });

  it('vanishes when it leads back to what is saved, in any order of the tools', () => {
    expect(edit(['b', 's', 'none'], ['b', 's', 'all']).size).toBe(0);
    expect(edit(['a', 's', 'all'], ['a', 's', ['search', 'read']]).size).toBe(0);
  });

  it('is one request for each server', () => {
    expect(
      requestsOf(edit(['a', 's', 'all'], ['a', 't', 'all'], ['b', 's', 'none'], ['b', 't', ['post']])),
    ).toEqual([
      {
        serverId: 's',
        entries: [
          { agentId: 'a', granted: true, tools: null },
          { agentId: 'b', granted: false },
        ],
      },
      {
        serverId: 't',
        entries: [
          { agentId: 'a', granted: true, tools: null },
          { agentId: 'b', granted: true, tools: ['post'] },
        ],
      },
    ]);
  });

  it('goes with its server once that is saved', () => {
    const rest = withoutServer(edit(['a', 's', 'all'], ['a', 't', 'all']), 's');
    expect([...rest.values()].map(({ serverId }) => serverId)).toEqual(['t']);
  });
});

describe('the words of a cell', () => {
  it.each([
    ['none', 22, 'None'],
    ['all', 22, 'All'],
    [['x'], 22, '1 of 22'],
    [['x', 'y'], null, '2 tools'],
  ] as [Grant, number | null, string][])('of %j with %s tools are %s', (grant, tools, words) => {
    expect(wordsOf(grant, tools)).toBe(words);
  });
});

describe('the sentence of an edit', () => {
  it.each<[[string, string, Grant], string]>([
    [['a', 't', 'all'], 'Backend coder gets all tools of Slack.'],
    [['a', 's', 'all'], 'Backend coder is widened to all 22 tools of GitHub.'],
    [['b', 's', 'none'], 'Triage loses GitHub at its next call.'],
    [['b', 's', ['read']], 'Triage is narrowed to 1 of 22 tools of GitHub.'],
    [['b', 't', ['post']], 'Triage gets 1 tool of Slack.'],
    [
      ['a', 's', ['read', 'write']],
      'Backend coder gets other tools: 2 of 22 tools of GitHub (+ write, − search).',
    ],
    [
      ['a', 's', ['v', 'w', 'x', 'y']],
      'Backend coder gets other tools: 4 of 22 tools of GitHub (4 added, 2 removed).',
    ],
  ])('of %j', (change, sentence) => {
    expect(say(change)).toEqual([sentence]);
  });
});
