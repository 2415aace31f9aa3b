import { describe, expect, it } from '@jest/globals';
import { compare, Ledger, type Stored } from './game-day/ledger.js';
import { markdown } from './game-day/log.js';
import { problemsOf, type Result } from './game-day/scene.js';

const passed: Result = {
  scene: { name: 'fast-stop', does: 'The primary is stopped, and started again.' },
  noticed: [
    { what: 'the alert AwpDatabaseUnreachable', seconds: 1.2 },
    { what: 'a client sees 503', seconds: 0.3 },
  ],
  endedAt: 6,
  recovered: [{ what: 'every client goes on', seconds: 2 }],
  metrics: [{ name: 'awp_ready', before: 1, during: 0, after: 1 }],
  alerting: [
    {
      rule: { name: 'AwpDatabaseUnreachable', expression: '', waits: '1m', severity: 'critical' },
      from: 1.2,
      to: 7,
    },
  ],
  said: { readyz: [{ seconds: 0.2, text: '503 {"a"|"b"}' }], livez: [], attention: [], halt: [], about: [] },
  lines: [{ seconds: 0.1, level: 'warn', text: 'The database cannot be reached', count: 1 }],
  page: [],
  outcomes: { '201': 10, '503': 4 },
  unexpected: [],
  longestMs: 900,
  acknowledged: 10,
  findings: { lost: [], doubled: [] },
  invariants: 0,
  further: [],
};

describe('a scene of the game day', () => {
  it('passes where it was noticed, recovered, and lost nothing', () => {
    expect(problemsOf(passed)).toEqual([]);
  });

  it.each<[string, Partial<Result>, RegExp]>([
    [
      'an alert that did not fire',
      { noticed: [{ what: 'the alert AwpNotReady', seconds: null }] },
      /^Not noticed: the alert AwpNotReady\.$/,
    ],
    ['nothing that was to be noticed', { noticed: [] }, /nothing is proven/],
    [
      'a recovery that did not come',
      { recovered: [{ what: '/readyz is 200', seconds: null }] },
      /^Not recovered: /,
    ],
    ['nothing that was to recover', { recovered: [] }, /nothing is proven/],
    ['a lost write', { findings: { lost: ['issue 7'], doubled: [] } }, /^Lost: issue 7\.$/],
    ['a write that happened twice', { findings: { lost: [], doubled: ['a: stored twice'] } }, /^Doubled: a/],
    ['a broken invariant', { invariants: 2 }, /^2 invariants are violated\.$/],
    ['no acknowledged write', { acknowledged: 0 }, /^No write was acknowledged/],
    ['an answer that no client may get', { unexpected: ['500'] }, /^A client saw 500\.$/],
    ['what its own check found', { further: ['The restored service differs.'] }, /differs/],
  ])('fails for %s', (_, change, problem) => {
    expect(problemsOf({ ...passed, ...change })).toEqual([expect.stringMatching(problem)]);
  });
});

describe('the comparison of what was acknowledged with what is stored', () => {
  const ledger = (): Ledger => {
    const made = new Ledger();
    made.issues.set('mark', 'i1');
    made.comments.set('said', 'c1');
    made.finished.add('i1');
    made.attachments.set('a1', 'hash');
    made.repeated.push({ mark: 'mark', differs: null });
    return made;
  };
  const kept: Stored = {
    issues: [{ id: 'i1', mark: 'mark', status: 'Resolved' }],
    comments: [{ id: 'c1', mark: 'said' }],
    attachments: [{ id: 'a1', hash: 'hash' }],
  };

  it('finds nothing where all is there, and ignores what was stored without an acknowledgement', () => {
    const more = { ...kept, comments: [...kept.comments, { id: 'c2', mark: 'cut off' }] };
    expect(compare(ledger(), more)).toEqual({ lost: [], doubled: [] });
  });

  it.each<[string, Partial<Stored>, string]>([
    ['an issue', { issues: [] }, 'issue i1'],
    ['a comment', { comments: [] }, 'comment c1'],
    ['an attachment', { attachments: [] }, 'attachment a1'],
    ['the bytes of an attachment', { attachments: [{ id: 'a1', hash: 'other' }] }, 'attachment a1'],
    [
      'the end of an issue',
      { issues: [{ ...kept.issues[0]!, status: 'InProgress' }] },
      'the end of issue i1, which is InProgress',
    ],
  ])('finds %s that is lost', (_, change, lost) => {
    expect(compare(ledger(), { ...kept, ...change }).lost).toContain(lost);
  });

  it('finds a row that one request made twice, and a second answer that differs', () => {
    const twice = { ...kept, issues: [...kept.issues, { id: 'i2', mark: 'mark', status: 'Open' }] };
    expect(compare(ledger(), twice).doubled).toEqual(['mark: stored twice']);
    const answered = ledger();
    answered.repeated.push({ mark: 'said', differs: 'c1, then 201 c9' });
    expect(compare(answered, kept).doubled).toEqual(['said: c1, then 201 c9']);
  });
});

describe('the log of a game day', () => {
  const day = {
    results: [passed],
    end: [],
    compared: { writes: 10, repeated: 1, events: 30, deliveries: 8 },
    processors: 2,
    postgres: '15.18',
  };

  it('has a row and a section per scene, and keeps tables whole', () => {
    const text = markdown(day);
    expect(text).toContain(
      '| [fast-stop](#fast-stop) | a client sees 503, 0.3 s | AwpDatabaseUnreachable 1.2 s + 1m | 2.0 s | 14, of which 4 were refused | 0 | 0 |',
    );
    expect(text).toContain('\n### fast-stop\n');
    expect(text).toContain('503 {"a"\\|"b"}');
    expect(text).toContain('Nothing was lost or doubled');
  });

  it('says what failed', () => {
    const failed = { ...passed, findings: { lost: ['issue 7'], doubled: [] } };
    const text = markdown({ ...day, results: [failed], end: ['Lost: issue 7.'] });
    expect(text).toContain('**Failed:** Lost: issue 7.');
    expect(text).not.toContain('Nothing was lost');
  });
});
