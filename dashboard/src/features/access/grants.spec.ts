import { describe, expect, it } from 'vitest';
import { indexOf } from '../../shared/mcp/effective-access';
import { at, edit, grant, index, matrix, writers } from './access.fixture';
import {
  editedProfiles,
  effectOf,
  entriesAfter,
  type Extent,
  grantAt,
  isEdited,
  noGrant,
  requestsOf,
  rowsOf,
  savedGrant,
  toggled,
  without,
} from './grants';

describe('the saved grant of a place', () => {
  it.each<[string, string, Extent]>([
    ['a', 's', ['read', 'search']],
    ['b', 's', 'all'],
    ['a', 't', 'none'],
    ['c', 's', 'refused'],
  ])('of %s and %s is %j', (id, serverId, has) => {
    expect(savedGrant(index, at(id, serverId))).toEqual(grant(has));
  });

  it('of a profile is its entry', () => {
    expect(savedGrant(index, at('w', 't'))).toEqual(grant(['post'], 'writes', 'Editor', 'team'));
    expect(savedGrant(indexOf(matrix, []), at('w', 't'))).toEqual(noGrant);
  });
});

describe('the rows', () => {
  it('are profiles, then agents, narrowed by a part of the name', () => {
    expect(rowsOf(matrix, [writers], '').map(({ of, id }) => `${of} ${id}`)).toEqual([
      'profile w',
      'agent a',
      'agent b',
      'agent c',
    ]);
    expect(rowsOf(matrix, [writers], ' TRI ').map(({ name }) => name)).toEqual(['Triage']);
  });
});

describe('what a cell amounts to', () => {
  const given = index.givenTo('b', 't');

  it('adds what profiles give to the grant', () => {
    expect(effectOf(grant(['read']), given)).toMatchObject({ tools: ['read', 'post'], isGranted: true });
    expect(effectOf(noGrant, given)).toMatchObject({ tools: ['post'], profiles: ['Writers'] });
  });

  it('is nothing by a refusal, and without any source', () => {
    expect([effectOf(grant('refused'), given), effectOf(noGrant, [])]).toEqual([null, null]);
  });
});

describe('an edit', () => {
  it('is shown in place of what is saved', () => {
    const edits = edit(['a', 't', 'all']);
    expect([grantAt(index, edits, at('a', 't')), isEdited(edits, at('a', 't'))]).toEqual([
      grant('all'),
      true,
    ]);
    expect(grantAt(index, edits, at('b', 's'))).toEqual(grant('all'));
  });

  it('vanishes when it leads back to what is saved, in any order of the tools', () => {
    expect(edit(['b', 's', 'none'], ['b', 's', 'all']).size).toBe(0);
    expect(edit(['a', 's', 'all'], ['a', 's', ['search', 'read']]).size).toBe(0);
    expect(edit(['b', 's', 'all', 'writes'], ['b', 's', 'all', null, 'Admin']).size).toBe(0);
    expect(edit(['b', 's', 'all', 'writes'], ['b', 's', 'all', 'writes', 'Admin']).size).toBe(1);
    expect(edit(['b', 's', 'all', null, 'Editor', 'team']).size).toBe(1);
    expect(edit(['c', 's', 'none'], ['c', 's', 'refused']).size).toBe(0);
  });

  it('toggles between everything and nothing, and keeps what is asked', () => {
    expect(toggled(grant(['read'], 'writes'), false)).toEqual(grant('none', 'writes'));
    expect(toggled(grant('none', 'writes'), false)).toEqual(grant('all', 'writes'));
    expect(toggled(grant('refused'), false)).toEqual(grant('all'));
  });

  it('toggles between a refusal and what profiles give, which nothing else takes away', () => {
    expect(toggled(grant('none'), true)).toEqual(grant('refused'));
    expect(toggled(grant('all'), true)).toEqual(grant('refused'));
    expect(toggled(grant('refused'), true)).toEqual(grant('none'));
  });

  it('is one request for each server', () => {
    const edits = edit(
      ['a', 's', 'all'],
      ['a', 't', 'refused'],
      ['b', 's', 'none'],
      ['b', 't', ['post'], ['post'], 'Admin', 'team'],
      ['w', 's', 'none'],
    );
    const all = { granted: true, tools: null, ask: null, approverRole: 'Editor', credentialSet: 'default' };
    expect(requestsOf(edits)).toEqual([
      {
        serverId: 's',
        entries: [
          { agentId: 'a', ...all },
          { agentId: 'b', granted: false, refused: false },
        ],
      },
      {
        serverId: 't',
        entries: [
          { agentId: 'a', granted: false },
          {
            agentId: 'b',
            granted: true,
            tools: ['post'],
            ask: ['post'],
            approverRole: 'Admin',
            credentialSet: 'team',
          },
        ],
      },
    ]);
  });

  it('of a profile replaces its entry, and leaves those of other servers as they are', () => {
    const edits = edit(['w', 's', 'all', 'writes', 'Editor', 'team'], ['a', 's', 'all']);
    expect(editedProfiles(edits)).toEqual(['w']);
    expect(entriesAfter(writers, edits)).toEqual([
      writers.entries[0],
      { serverId: 's', tools: null, ask: 'writes', credentialSet: 'team' },
    ]);
    expect(entriesAfter(writers, edit(['w', 't', 'none']))).toEqual([writers.entries[1]]);
  });

  it('goes with its server or its profile once that is saved', () => {
    const edits = edit(['a', 's', 'all'], ['a', 't', 'all'], ['w', 's', 'all']);
    const left = (rest: typeof edits) => [...rest.values()].map(({ id, serverId }) => `${id} ${serverId}`);
    expect(left(without(edits, { serverId: 's' }))).toEqual(['a t', 'w s']);
    expect(left(without(edits, { profileId: 'w' }))).toEqual(['a s', 'a t']);
  });
});
