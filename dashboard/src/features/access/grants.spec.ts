import { describe, expect, it } from 'vitest';
import type { AccessMatrix } from '../../api/types';
import {
  askWordsOf,
  edited,
  grantAt,
  isEdited,
  noEdits,
  requestsOf,
  savedGrant,
  toggled,
  withoutServer,
  wordsOf,
  type Extent,
  type Grant,
} from './grants';
import { sentencesOf } from './sentences';

const byGrant = {
  granted: true,
  ask: null,
  approverRole: 'Editor',
  credentialSet: 'default',
  source: 'grant',
} as const;
const matrix: AccessMatrix = {
  agents: [
    { id: 'a', name: 'Backend coder', disabled: false },
    { id: 'b', name: 'Triage', disabled: false },
  ],
  servers: [
    { id: 's', name: 'GitHub', status: 'enabled', tools: 22 },
    { id: 't', name: 'Slack', status: 'error', tools: null },
  ],
  profiles: [],
  cells: [
    { agentId: 'a', serverId: 's', tools: ['read', 'search'], ...byGrant },
    { agentId: 'b', serverId: 's', tools: null, ...byGrant },
  ],
};
const grant = (has: Extent, ask: Grant['ask'] = null, approver: Grant['approver'] = 'Editor'): Grant => ({
  has,
  ask,
  approver,
});
const at = (agentId: string, serverId: string) => ({ agentId, serverId });
type Change = [string, string, Extent, Grant['ask']?, Grant['approver']?];
const edit = (...all: Change[]) =>
  all.reduce(
    (edits, [agentId, serverId, ...rest]) => edited(matrix, edits, at(agentId, serverId), grant(...rest)),
    noEdits,
  );
const say = (...all: Change[]) =>
  sentencesOf(matrix, edit(...all)).map(({ agent, verb, server, end }) => `${agent} ${verb} ${server}${end}`);

describe('the saved grant of a pair', () => {
  it.each([
    ['a', 's', ['read', 'search']],
    ['b', 's', 'all'],
    ['a', 't', 'none'],
  ] as [string, string, Extent][])('of %s and %s is %j', (agentId, serverId, has) => {
    expect(savedGrant(matrix, at(agentId, serverId))).toEqual(grant(has));
  });
});

describe('an edit', () => {
  it('is shown in place of what is saved', () => {
    const edits = edit(['a', 't', 'all']);
    expect([grantAt(matrix, edits, at('a', 't')), isEdited(edits, at('a', 't'))]).toEqual([
      grant('all'),
      true,
    ]);
    expect(grantAt(matrix, edits, at('b', 's'))).toEqual(grant('all'));
  });

  it('vanishes when it leads back to what is saved, in any order of the tools', () => {
    expect(edit(['b', 's', 'none'], ['b', 's', 'all']).size).toBe(0);
    expect(edit(['a', 's', 'all'], ['a', 's', ['search', 'read']]).size).toBe(0);
    expect(edit(['b', 's', 'all', 'writes'], ['b', 's', 'all', null, 'Admin']).size).toBe(0);
    expect(edit(['b', 's', 'all', 'writes'], ['b', 's', 'all', 'writes', 'Admin']).size).toBe(1);
  });

  it('toggles between everything and nothing, and keeps what is asked', () => {
    expect(toggled(grant(['read'], 'writes'))).toEqual(grant('none', 'writes'));
    expect(toggled(grant('none', 'writes'))).toEqual(grant('all', 'writes'));
  });

  it('is one request for each server', () => {
    expect(
      requestsOf(
        edit(
          ['a', 's', 'all'],
          ['a', 't', 'all'],
          ['b', 's', 'none'],
          ['b', 't', ['post'], ['post'], 'Admin'],
        ),
      ),
    ).toEqual([
      {
        serverId: 's',
        entries: [
          { agentId: 'a', granted: true, tools: null, ask: null, approverRole: 'Editor' },
          { agentId: 'b', granted: false },
        ],
      },
      {
        serverId: 't',
        entries: [
          { agentId: 'a', granted: true, tools: null, ask: null, approverRole: 'Editor' },
          { agentId: 'b', granted: true, tools: ['post'], ask: ['post'], approverRole: 'Admin' },
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
  ] as [Extent, number | null, string][])('of %j with %s tools are %s', (has, tools, words) => {
    expect(wordsOf(grant(has), tools)).toBe(words);
  });

  it.each([
    ['all', 'writes', 'asks for writes'],
    ['all', ['x', 'y'], 'asks for 2'],
    ['all', null, null],
    ['none', 'writes', null],
  ] as [Extent, Grant['ask'], string | null][])('of %j that asks %j add %j', (has, ask, words) => {
    expect(askWordsOf(grant(has, ask))).toBe(words);
  });
});

describe('the sentence of an edit', () => {
  it.each<[Change, string]>([
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
    [
      ['a', 't', 'all', 'writes'],
      'Backend coder gets all tools of Slack and asks an Editor before each call that may change something.',
    ],
    [['b', 's', 'all', ['push'], 'Admin'], 'Triage asks an Admin before calls of 1 tool of GitHub (push).'],
    [
      ['b', 's', 'all', 'writes'],
      'Triage asks an Editor before each call of GitHub that may change something.',
    ],
  ])('of %j', (change, sentence) => {
    expect(say(change)).toEqual([sentence]);
  });
});
