import { describe, expect, it } from 'vitest';
import type { AccessMatrix, Profile, ProfileEntry } from '../../api/types';
import { effectiveAccess, indexOf } from './effective-access';

type Cell = AccessMatrix['cells'][number];

const cell = (fields: Partial<Cell> = {}): Cell => ({
  agentId: 'a',
  serverId: 's',
  granted: true,
  tools: null,
  ask: null,
  approverRole: 'Editor',
  credentialSet: 'default',
  source: 'grant',
  ...fields,
});
const profile = (name: string, fields: Partial<ProfileEntry> = {}): Profile => ({
  id: name,
  name,
  version: 1,
  agentIds: ['a'],
  entries: [{ serverId: 's', tools: null, ask: null, credentialSet: 'default', ...fields }],
  createdAt: '2026-11-01T00:00:00Z',
  updatedAt: '2026-11-01T00:00:00Z',
});
const of = (cells: Cell[], ...profiles: Profile[]) => effectiveAccess(indexOf({ cells }, profiles), 'a', 's');

describe('what an agent may use of a server', () => {
  it('is nothing without a grant and a profile, and for another agent or server', () => {
    expect(of([])).toBeNull();
    const index = indexOf({ cells: [cell()] }, [profile('A')]);
    expect([effectiveAccess(index, 'b', 's'), effectiveAccess(index, 'a', 't')]).toEqual([null, null]);
  });

  it('is the union of the tools of all sources, and all tools where one has them', () => {
    expect(of([cell({ tools: ['x'] })], profile('A', { tools: ['x', 'y'] }))?.tools).toEqual(['x', 'y']);
    expect(of([cell({ tools: ['x'] })], profile('A'))?.tools).toBeNull();
  });

  it('is nothing where the agent is refused, whatever its profiles give', () => {
    expect(of([cell({ granted: false })], profile('A'))).toBeNull();
  });

  it('names its sources, profiles by the code points of their names', () => {
    expect(of([], profile('beta'), profile('Zulu'))).toMatchObject({
      isGranted: false,
      profiles: ['Zulu', 'beta'],
    });
    expect(of([cell()], profile('A'))).toMatchObject({ isGranted: true, profiles: ['A'] });
  });

  it('asks for every approval that a source asks for, by the role of the grant', () => {
    expect(of([cell({ ask: ['x'], approverRole: 'Admin' })], profile('A', { ask: ['y'] }))).toMatchObject({
      ask: ['x', 'y'],
      approver: 'Admin',
    });
    expect(of([cell({ ask: ['x'] })], profile('A', { ask: 'writes' }))?.ask).toBe('writes');
  });

  it('uses the credential set of the grant, else that of the first profile', () => {
    expect(of([cell()], profile('A', { credentialSet: 'x' }))?.credentialSet).toBe('default');
    const [longer, shorter] = [
      profile('ab', { credentialSet: 'longer' }),
      profile('a', { credentialSet: 'shorter' }),
    ];
    expect(of([], longer, shorter)?.credentialSet).toBe('shorter');
    const [plain, beyond] = [
      profile('\uffee', { credentialSet: 'plain' }),
      profile('\u{1f600}', { credentialSet: 'beyond' }),
    ];
    expect(of([], beyond, plain)?.credentialSet).toBe('plain');
  });
});
