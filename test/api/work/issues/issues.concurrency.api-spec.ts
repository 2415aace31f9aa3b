import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Answer } from '../../../support/answer.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { expectNoServerErrors, howMany, inBatches, countByStatus, upTo } from './concurrent-requests.js';
import { expectInvariants } from './invariants.js';
import { act, link, put, read, remove, STATUSES } from './issue-requests.js';

// At full size a test sends thousands of requests.
jest.setTimeout(600_000);

/** Two processes of the service share one database. `here` and `there` are the same person at each of them. */
const service = useService();
let here: Caller;
let there: Caller;
let project: Project;
beforeAll(async () => {
  here = await asEditor(service);
  there = here.at(await service.second());
  project = await aProject(here);
});
afterEach(() => expectInvariants(service));

const some = (count: number) => Promise.all(upTo(count).map(() => anIssue(here, project)));
const statusOf = async (issue: Issue) => (await read(here, issue)).status;
const side = (number: number) => (number % 2 ? here : there);

describe('no dependent is stuck', () => {
  it('when an issue is linked to a blocker that is being resolved', async () => {
    const rounds = await inBatches(howMany(12, 200), 4, async () => {
      const [blocker, issue] = (await some(2)) as [Issue, Issue];
      const answers = await Promise.all([
        link(here, issue, 'BlockedBy', blocker),
        put(there, blocker, { status: 'Resolved' }),
      ]);
      return { statuses: answers.map(({ status }) => status), after: await statusOf(issue) };
    });
    for (const round of rounds) expect(round).toEqual({ statuses: [201, 200], after: 'Open' });
  });

  it('when its two blockers finish concurrently, in any way', async () => {
    const ends = [
      (caller: Caller, issue: Issue) => put(caller, issue, { status: 'Resolved' }),
      (caller: Caller, issue: Issue) => act(caller, issue, 'close?force=true'),
      (caller: Caller, issue: Issue) => remove(caller, issue),
    ];
    const rounds = await inBatches(howMany(9, 200), 4, async (number) => {
      const [one, other, issue] = (await some(3)) as [Issue, Issue, Issue];
      await aLink(here, one, issue);
      await aLink(here, other, issue);
      expectNoServerErrors(
        await Promise.all([ends[number % 3]!(here, one), ends[Math.floor(number / 3) % 3]!(there, other)]),
      );
      return statusOf(issue);
    });
    expect(new Set(rounds)).toEqual(new Set(['Open']));
  });

  it('when it is linked to a blocker that is being resolved and reopened', async () => {
    await inBatches(howMany(8, 100), 4, async () => {
      const [blocker, issue] = (await some(2)) as [Issue, Issue];
      const answers = await Promise.all([
        put(here, blocker, { status: 'Resolved' }),
        link(there, issue, 'BlockedBy', blocker),
        put(there, blocker, { status: 'Open' }),
      ]);
      expectNoServerErrors(answers);
    });
  });

  it('when it is linked to a blocker that is being deleted', async () => {
    const rounds = await inBatches(howMany(12, 200), 4, async (number) => {
      const [blocker, issue] = (await some(2)) as [Issue, Issue];
      const make =
        number % 2 ? link(here, issue, 'BlockedBy', blocker) : link(here, blocker, 'Blocks', issue);
      const [made, gone] = await Promise.all([make, remove(there, blocker)]);
      expect(gone.status).toBe(204);
      expect([201, 400, 404]).toContain(made.status);
      return statusOf(issue);
    });
    expect(new Set(rounds)).toEqual(new Set(['Open']));
  });

  it('when both ends of a link and the link itself are deleted concurrently', async () => {
    await inBatches(howMany(6, 100), 3, async () => {
      const [one, other] = (await some(2)) as [Issue, Issue];
      const { id } = await aLink(here, one, other);
      expectNoServerErrors(
        await Promise.all([
          remove(here, one),
          remove(there, other),
          here.delete(`/api/projects/links/${id}`),
        ]),
      );
    });
  });

  it('when all issues of a chain are resolved and reopened concurrently', async () => {
    await inBatches(howMany(6, 60), 2, async (round) => {
      const chain = (await some(5)) as Issue[];
      for (const at of [1, 2, 3, 4]) await aLink(here, chain[at - 1]!, chain[at]!);
      const wishes = upTo(15).map((number) => ({
        issue: chain[(number * 7 + round) % 5]!,
        status: number % 3 ? 'Resolved' : 'Open',
      }));
      expectNoServerErrors(
        await Promise.all(wishes.map(({ issue, status }, number) => put(side(number), issue, { status }))),
      );
    });
  });
});

describe('closing concurrently', () => {
  it('by 16 requests with the same If-Match succeeds for one', async () => {
    const issue = await anIssue(here, project);
    const answers = await Promise.all(
      upTo(16).map((number) => act(side(number), issue, 'close', { 'if-match': '"1"' })),
    );
    expect(countByStatus(answers)).toEqual({ 204: 1, 412: 15 });
  });

  it('by 16 requests without If-Match succeeds for all and happens once', async () => {
    const issue = await anIssue(here, project);
    const answers = await Promise.all(
      upTo(16).map((number) =>
        number % 4 ? act(side(number), issue, 'close') : put(side(number), issue, { status: 'Closed' }),
      ),
    );
    expect(answers.every(({ status }) => status < 300)).toBe(true);
    expect(await read(here, issue)).toMatchObject({ status: 'Closed', version: 2 });
    const entries = await service.sql(
      `SELECT 1 FROM journal WHERE issue_id = $1 AND type = 'issue.status_changed'`,
      [issue.id],
    );
    expect(entries).toHaveLength(1);
  });

  it('without force never succeeds beside an open dependent that was linked before', async () => {
    const rounds = await inBatches(howMany(8, 100), 4, async () => {
      const [issue, dependent] = (await some(2)) as [Issue, Issue];
      const [closed, linked] = await Promise.all([
        act(here, issue, 'close'),
        link(there, dependent, 'BlockedBy', issue),
      ]);
      expect(linked.status).toBe(201);
      return { closed: closed.status, dependent: await statusOf(dependent) };
    });
    // A link made after the close moves nothing. A close after the link is rejected.
    for (const round of rounds)
      expect([
        { closed: 204, dependent: 'Open' },
        { closed: 409, dependent: 'WaitingOnDependency' },
      ]).toContainEqual(round);
  });
});

it('concurrent requests never get the same issue number', async () => {
  const place = await aProject(here);
  const made = await Promise.all(upTo(howMany(20, 200)).map((number) => anIssue(side(number), place)));
  const keys = made.map(({ key }) => Number(key.split('-')[1]));
  expect(keys.toSorted((a, b) => a - b)).toEqual(upTo(made.length).map((number) => number + 1));
});

it('concurrent requests of all kinds to both processes violate no invariant and get no server error', async () => {
  const place = await aProject(here);
  const issues = await Promise.all(upTo(12).map(() => anIssue(here, place)));
  const dice = diceOf(howMany(1, 2) * 7919);
  const one = () => issues[dice(issues.length)]!;
  const deeds: ((caller: Caller) => Promise<Answer<unknown>>)[] = [
    (caller) => link(caller, one(), 'Blocks', one()),
    (caller) => link(caller, one(), 'BlockedBy', one()),
    (caller) => put(caller, one(), { status: STATUSES[dice(STATUSES.length)]! }),
    (caller) => put(caller, one(), { status: 'Resolved' }),
    (caller) => put(caller, one(), { status: 'Open' }),
    (caller) => act(caller, one(), 'close?force=true'),
    (caller) => act(caller, one(), 'pause'),
    (caller) => act(caller, one(), 'resume'),
    async (caller) => {
      const answer = await caller.post<Issue>(`/api/projects/${place.id}/issues`, {
        title: 'New',
        blockedByIssueId: one().id,
      });
      if (answer.status === 201) issues[dice(issues.length)] = answer.body;
      return answer;
    },
    (caller) => (dice(4) ? caller.get(`/api/projects/${place.id}/issues`) : remove(caller, one())),
  ];
  const answers = await inBatches(howMany(64, 4_000), 16, (number) =>
    deeds[dice(deeds.length)]!(side(number)),
  );
  expectNoServerErrors(answers);
});

/** Returns pseudo-random numbers that are the same in each run. */
function diceOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
