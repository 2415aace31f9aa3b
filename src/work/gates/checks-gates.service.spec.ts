import { describe, expect, it } from '@jest/globals';
import { verdictOf } from './checks-gates.service.js';

type Code = Parameters<typeof verdictOf>[1][number];
const pull = (fields: Partial<Code> = {}): Code => ({
  id: 'a',
  kind: 'pull_request',
  state: 'open',
  checks: 'none',
  counts: true,
  ...fields,
});
const all = { codeId: null, until: 'passing' } as const;
const passing = pull({ checks: 'passing' });

describe('the verdict on all open pull requests of an issue', () => {
  it.each<[string, Code[], string[], string | null]>([
    ['goes on without one', [], [], null],
    ['goes on while no check was reported', [pull()], [], null],
    ['goes on while one runs', [passing, pull({ checks: 'pending' })], [], null],
    ['is passed when all pass', [passing, pull({ checks: 'passing', state: 'draft' })], [], 'checks_passed'],
    ['is failed as soon as one fails', [passing, pull({ checks: 'failing' }), pull()], [], 'checks_failed'],
    [
      'looks at no branch or commit',
      [pull({ kind: 'branch', checks: 'failing' }), passing],
      [],
      'checks_passed',
    ],
    ['looks at none that an outsider named', [pull({ checks: 'failing', counts: false })], [], null],
    ['looks at no older one beside an open one', [pull({ state: 'closed' }), passing], [], 'checks_passed'],
    ['goes on after an older one that was closed', [pull({ state: 'closed' })], [], null],
    ['is failed when the last one was closed now', [pull({ state: 'closed' })], ['a'], 'closed'],
    ['is passed when one was merged', [pull({ state: 'merged', checks: 'failing' })], [], 'merged'],
    [
      'is what happened now, not before',
      [pull({ state: 'merged', id: 'b' }), pull({ state: 'closed' })],
      ['a'],
      'closed',
    ],
  ])('%s', (_, code, ended, verdict) => {
    expect(verdictOf(all, code, ended)).toBe(verdict);
  });

  it('waits for the merge where it is to', () => {
    const merged = { codeId: null, until: 'merged' } as const;
    expect(verdictOf(merged, [passing], [])).toBeNull();
    expect(verdictOf(merged, [pull({ checks: 'failing' })], [])).toBe('checks_failed');
    expect(verdictOf(merged, [pull({ state: 'merged' })], ['a'])).toBe('merged');
  });
});

describe('the verdict on one', () => {
  it.each<[string, Partial<Code>, 'passing' | 'merged', string | null]>([
    ['passes', { checks: 'passing' }, 'passing', 'checks_passed'],
    ['passes though no one counts it', { checks: 'passing', counts: false }, 'passing', 'checks_passed'],
    ['fails', { checks: 'failing' }, 'merged', 'checks_failed'],
    ['waits for the merge', { checks: 'passing' }, 'merged', null],
    ['is merged', { state: 'merged', checks: 'pending' }, 'passing', 'merged'],
    ['is closed', { state: 'closed', checks: 'passing' }, 'passing', 'closed'],
    ['is a commit of the default branch', { kind: 'commit', state: 'merged' }, 'passing', null],
    [
      'is a commit whose checks failed',
      { kind: 'commit', state: 'merged', checks: 'failing' },
      'passing',
      'checks_failed',
    ],
  ])('that %s', (_, fields, until, verdict) => {
    expect(verdictOf({ codeId: 'a', until }, [pull(fields), pull({ id: 'b', checks: 'failing' })], [])).toBe(
      verdict,
    );
  });

  it('goes on where it is not there', () => {
    expect(verdictOf({ codeId: 'c', until: 'passing' }, [passing], [])).toBeNull();
  });
});
