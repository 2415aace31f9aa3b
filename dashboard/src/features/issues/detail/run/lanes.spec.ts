import { describe, expect, it } from 'vitest';
import type { Activity, Comment, Run, ToolCall } from '../../../../api/types';
import { busyIn, extentOf, lanesOf, type RunData, summaryOf } from './lanes';

const BEGIN = Date.parse('2026-11-02T08:00:00.000Z');
const at = (minute: number): string => new Date(BEGIN + minute * 60_000).toISOString();
const minutesOf = (marks: readonly { from: number; to: number }[]) =>
  marks.map(({ from, to }) => [(from - BEGIN) / 60_000, (to - BEGIN) / 60_000]);

let ids = 0;
const row = (type: Activity['type'], minute: number, data: object = {}, name = 'juno') =>
  ({
    id: `row ${(ids += 1)}`,
    type,
    data,
    createdAt: at(minute),
    actor: { type: 'agent', id: 'a', name },
  }) as unknown as Activity;
const status = (from: string, to: string, minute: number) =>
  row('issue.status_changed', minute, { old: from, new: to });
const run = (token: number, fields: Partial<Run>) =>
  ({ token, agent: { id: 'a', name: 'juno' }, state: 'stopped', turns: 0, ...fields }) as Run;

const of = (data: Partial<RunData>, now = 120) =>
  lanesOf(
    {
      issue: { createdAt: at(0), status: 'InProgress', lease: null },
      activity: [],
      comments: [],
      runs: [],
      calls: [],
      ...data,
    },
    BEGIN + now * 60_000,
  );

/** A lease that waits for an answer in its middle, and a second one that ends the issue. */
const day = [
  row('issue.created', 0),
  status('Open', 'InProgress', 10),
  row('issue.picked_up', 10, { token: 1 }),
  row('issue.tools_called', 12, { turn: 1, calls: 3, failed: 1, firstAt: at(12), lastAt: at(15) }),
  row('gate.opened', 20, { gateId: 'g', title: 'Publish it?' }),
  status('InProgress', 'WaitingOnDependency', 20),
  row('gate.answered', 80, { gateId: 'g', title: 'Publish it?' }, 'Ada'),
  status('WaitingOnDependency', 'Open', 80),
  status('Open', 'InProgress', 90),
  row('issue.picked_up', 90, { token: 2 }),
  status('InProgress', 'Resolved', 100),
];

describe('the lanes of an issue', () => {
  it('say when it was leased, asked about, and in which status, in whatever order the rows come', () => {
    const issue = { createdAt: at(0), status: 'Resolved', lease: null } as const;
    for (const activity of [day, day.toReversed()]) {
      const lanes = of({ issue, activity });
      expect(minutesOf(lanes.leases)).toEqual([
        [10, 20],
        [90, 100],
      ]);
      expect(minutesOf(lanes.gates)).toEqual([[20, 80]]);
      expect(lanes.gates[0]!.words).toBe('“Publish it?”, answered by Ada');
      expect(lanes.status.map(({ words }) => words).join()).toBe(
        'Open,In progress,Waiting,Open,In progress,Resolved',
      );
      expect(minutesOf(lanes.turns)).toEqual([[12, 15]]);
      expect(lanes.turns[0]!.words).toBe('Turn 1 of juno: 3 calls, 1 without success');
    }
  });

  it('end with an issue, and last until now where one goes on', () => {
    const ended = of({ issue: { createdAt: at(0), status: 'Resolved', lease: null }, activity: day }, 5_000);
    expect((extentOf(ended).to - BEGIN) / 60_000).toBe(100);
    const live = of({
      issue: { createdAt: at(0), status: 'InProgress', lease: { expiresAt: at(130) } },
      activity: day.slice(0, 4),
    });
    expect(minutesOf(live.leases)).toEqual([[10, 120]]);
    expect(live.leases[0]!.open).toBe(true);
  });

  it('end a lease that ran out unseen at the last sign of its worker, and mark it as lost', () => {
    const lanes = of({
      activity: day.slice(0, 4),
      runs: [run(1, { state: 'lost', turns: 2, reportedAt: at(17), stoppedAt: null })],
    });
    expect(minutesOf(lanes.leases)).toEqual([[10, 17]]);
    expect(lanes.leases[0]).toMatchObject({ words: 'Lease of juno, 2 turns, lost', tone: 'danger' });
  });

  it('end a lease where the issue is handed out again', () => {
    const activity = [
      row('issue.picked_up', 10, { token: 1 }),
      row('issue.lease_lost', 40),
      row('issue.picked_up', 40, { token: 2 }, 'remy'),
    ];
    expect(minutesOf(of({ activity }).leases)).toEqual([
      [10, 40],
      [40, 40],
    ]);
  });

  it('have each call with its tool, end and length, and who commented', () => {
    const call = (id: string, outcome: ToolCall['outcome']) =>
      ({
        id,
        at: at(12),
        durationMs: 412,
        toolName: 'search',
        outcome,
        server: { name: 'GitHub' },
      }) as ToolCall;
    const comment = (authorType: Comment['authorType'], name: string) =>
      ({ id: name, authorType, author: { id: name, name }, createdAt: at(30) }) as Comment;
    const lanes = of({
      calls: [call('1', 'ok'), call('2', 'refused')],
      comments: [comment('Agent', 'juno'), comment('User', 'Ada')],
    });
    expect(lanes.calls.map(({ words, tone }) => [words, tone])).toEqual([
      ['search of GitHub: done, 412 ms', 'progress'],
      ['search of GitHub: refused, 412 ms', 'danger'],
    ]);
    expect(lanes.comments.map(({ words, tone }) => [words, tone])).toEqual([
      ['Comment by juno', 'agent'],
      ['Comment by Ada', 'plain'],
    ]);
  });

  it('say in a sentence where the time went', () => {
    const lanes = of({ issue: { createdAt: at(0), status: 'Resolved', lease: null }, activity: day });
    expect(summaryOf(lanes)).toBe('Worked on for 20 min in 2 leases · waited 1 h for answers');
  });

  it('count waiting as quiet, so that a night without an answer can be folded', () => {
    const lanes = of({ issue: { createdAt: at(0), status: 'Resolved', lease: null }, activity: day });
    const isBusyAt = (minute: number) =>
      busyIn(lanes).some(({ from, to }) => from < BEGIN + minute * 60_000 && to > BEGIN + minute * 60_000);
    expect([15, 50, 95].map(isBusyAt)).toEqual([true, false, true]);
  });
});
