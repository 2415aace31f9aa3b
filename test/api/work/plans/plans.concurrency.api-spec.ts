import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { aGoal, anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { expectNoServerErrors, inBatches, upTo } from '../issues/concurrent-requests.js';
import { expectInvariants } from '../issues/invariants.js';
import { act, link, put, remove } from '../issues/issue-requests.js';
import { plan, type Planned } from './plan-requests.js';

jest.setTimeout(300_000);

const ROUNDS = 30;

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

const side = (number: number) => (number % 2 ? here : there);
/** Both orders happen in a row of rounds, whichever of the two is usually faster. */
const both = async <A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> => {
  if (round % 2) return Promise.all([one(), other()]);
  const second = other();
  return Promise.all([one(), second]);
};

const storedIn = async (place: Project, ref: string): Promise<string[]> =>
  (
    (await service.sql<{ title: string }>(
      'SELECT title FROM issues WHERE project_id = $1 AND title LIKE $2 ORDER BY number',
      [place.id, `${ref} %`],
    )) as { title: string }[]
  ).map(({ title }) => title);

/** A plan whose last issue names something: it may be gone by then. */
const planOf = (name: string, last: Partial<Planned>): Planned[] => [
  ...upTo(5).map((at) => ({ ref: `${name} ${at}`, blockedBy: at > 0 ? [`${name} ${at - 1}`] : [] })),
  { ref: `${name} last`, ...last },
];

describe(`a plan in ${ROUNDS} races`, () => {
  it('with the deletion of an issue that it names is stored whole and without it, or not at all', async () => {
    const outcomes = await inBatches(ROUNDS, 3, async (round) => {
      const blocker = await anIssue(here, project);
      const name = `blocker-${round}`;
      const [made, gone] = await both(
        round,
        () => plan(side(round), project, planOf(name, { blockedBy: [blocker.id, `${name} 0`] })),
        () => remove(side(round + 1), blocker),
      );
      expectNoServerErrors([made, gone]);
      expect(gone.status).toBe(204);
      const stored = await storedIn(project, name);
      if (made.status === 201) expect(stored).toHaveLength(6);
      else {
        expect(made.body).toMatchObject({ errors: [{ path: 'issues[5].blockedBy[0]' }] });
        expect(stored).toEqual([]);
      }
      return made.status;
    });
    expect(outcomes.filter((status) => status !== 201 && status !== 400)).toEqual([]);
  });

  it('with the end or deletion of the parent that it names leaves the tree and the states whole', async () => {
    const outcomes = await inBatches(ROUNDS, 3, async (round) => {
      const parent = await anIssue(here, project);
      const name = `parent-${round}`;
      const [made, ended] = await both(
        round,
        () => plan(side(round), project, planOf(name, { parent: parent.id })),
        () =>
          round % 3 === 0
            ? act(side(round + 1), parent, 'close?force=true')
            : round % 3 === 1
              ? remove(side(round + 1), parent)
              : put(side(round + 1), parent, { status: 'Resolved' }),
      );
      expectNoServerErrors([made, ended]);
      const stored = await storedIn(project, name);
      if (made.status === 201) expect(stored).toHaveLength(6);
      else {
        expect(made.body).toMatchObject({ errors: [{ path: 'issues[5].parent' }] });
        expect(stored).toEqual([]);
      }
      return made.status;
    });
    expect(outcomes.filter((status) => ![201, 400, 409].includes(status))).toEqual([]);
  });

  it('with the deletion of a goal that it names is stored whole, or refused at the place', async () => {
    const outcomes = await inBatches(ROUNDS, 3, async (round) => {
      const goal = await aGoal(here, project);
      const name = `goal-${round}`;
      const [made, gone] = await both(
        round,
        () => plan(side(round), project, planOf(name, { goalId: goal.id })),
        () => side(round + 1).delete(`/api/projects/goals/${goal.id}`),
      );
      expectNoServerErrors([made, gone]);
      const stored = await storedIn(project, name);
      if (made.status === 201) expect(stored).toHaveLength(6);
      else {
        expect(made.body).toMatchObject({ errors: [{ path: 'issues[5].goalId' }] });
        expect(stored).toEqual([]);
      }
      return made.status;
    });
    expect(outcomes.filter((status) => status !== 201 && status !== 400)).toEqual([]);
  });

  it('with the end of an issue that it names waits for it exactly while it is not finished', async () => {
    await inBatches(ROUNDS, 3, async (round) => {
      const blocker = await anIssue(here, project);
      const [made, done] = await both(
        round,
        () => plan(side(round), project, [{ ref: `end-${round}`, blockedBy: [blocker.key] }]),
        () =>
          round % 3 === 0
            ? act(side(round + 1), blocker, 'close?force=true')
            : put(side(round + 1), blocker, { status: 'Resolved' }),
      );
      expectNoServerErrors([made, done]);
      expect(made.status).toBe(201);
      const { body } = await here.get<Issue>(`/api/projects/issues/${made.body.issues[0]!.id}`);
      expect(body.status).toBe('Open');
    });
  });

  it('with others of one project takes numbers that follow each other', async () => {
    const place = await aProject(here);
    const answers = await Promise.all(
      upTo(ROUNDS).map((round) => plan(side(round), place, planOf(`n-${round}`, {}))),
    );
    const numbers = answers.map(({ body }) => body.issues.map(({ key }) => Number(key.split('-').at(-1))));
    for (const row of numbers) expect(row).toEqual(upTo(6).map((at) => row[0]! + at));
    expect(numbers.flat().toSorted((a, b) => a - b)).toEqual(upTo(6 * ROUNDS).map((at) => at + 1));
  });

  it('with links between the issues that two plans name closes no cycle and ends in no deadlock', async () => {
    await inBatches(ROUNDS, 3, async (round) => {
      const [one, other] = [await anIssue(here, project), await anIssue(here, project)];
      const answers = await Promise.all([
        plan(here, project, [{ ref: 'x', blockedBy: [one.id, other.id] }]),
        plan(there, project, [{ ref: 'y', blockedBy: [other.id, one.id] }]),
        link(side(round), one, 'Blocks', other),
      ]);
      expectNoServerErrors(answers);
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    });
  });

  it('with its project becoming members-only never leaves a link to another project', async () => {
    const kept = await inBatches(ROUNDS, 3, async (round) => {
      const [inner, outer] = await Promise.all([aProject(here), aProject(here)]);
      const outside = await anIssue(here, outer);
      const [made, wall] = await both(
        round,
        () => plan(side(round), inner, [{ ref: 'a', blockedBy: [outside.id] }]),
        () => side(round + 1).put(`/api/projects/${inner.id}`, { visibility: 'members' }),
      );
      expectNoServerErrors([made, wall]);
      return [made.status, wall.status].join(' ');
    });
    expect(kept.filter((pair) => !['201 409', '409 200', '400 200'].includes(pair))).toEqual([]);
  });
});
