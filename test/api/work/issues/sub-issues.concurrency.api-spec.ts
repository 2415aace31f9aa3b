import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { countByStatus, expectNoServerErrors, howMany, inBatches, upTo } from './concurrent-requests.js';
import { expectInvariants } from './invariants.js';
import { act, put, read, remove } from './issue-requests.js';

// At full size a test sends thousands of requests.
jest.setTimeout(600_000);

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
const aChild = (parent: { id: string }, fields = {}) =>
  anIssue(here, project, { parentId: parent.id, ...fields });
const post = (caller: Caller, parent: { id: string }) =>
  caller.post<Issue>(`/api/projects/${project.id}/issues`, { title: 'New', parentId: parent.id });

describe('the last child ends while another one comes', () => {
  it.each([
    ['is resolved', (caller: Caller, child: Issue) => put(caller, child, { status: 'Resolved' })],
    ['is closed', (caller: Caller, child: Issue) => act(caller, child, 'close')],
    ['is deleted', (caller: Caller, child: Issue) => remove(caller, child)],
    ['is moved away', (caller: Caller, child: Issue) => put(caller, child, { parentId: null })],
  ])('the parent waits for the new one (%s)', async (_how, end) => {
    await inBatches(howMany(8, 30), 2, async (round) => {
      const parent = await anIssue(here, project);
      const child = await aChild(parent);
      const answers = await Promise.all([end(side(round), child), post(side(round + 1), parent)]);
      expectNoServerErrors(answers);
      expect(answers[1]).toMatchObject({ status: 201 });
      expect(await read(here, parent)).toMatchObject({ status: 'WaitingOnDependency' });
    });
  });
});

describe('a parent that is closed by force under load', () => {
  it('has no open issue below it, and each request of the others is answered', async () => {
    await inBatches(howMany(8, 30), 2, async (round) => {
      const parent = await anIssue(here, project);
      const children = await Promise.all([aChild(parent), aChild(parent, { holdsParent: false })]);
      const low = await aChild(children[0]);
      const answers = await Promise.all([
        act(side(round), parent, 'close?force=true'),
        put(side(round + 1), low, { status: 'InProgress' }),
        put(side(round), children[1], { status: 'Resolved' }),
        post(side(round + 1), children[0]),
        post(side(round), parent),
        put(side(round + 1), low, { parentId: null }),
        remove(side(round), children[0]),
      ]);
      expectNoServerErrors(answers);
      expect(answers[0]).toMatchObject({ status: 204 });
      const { status, children: counts } = await read(here, parent);
      // A child that came after the close was refused; one that came before was closed with the others.
      expect({ status, open: counts.total - counts.resolved }).toEqual({ status: 'Closed', open: 0 });
    });
  });
});

describe('parents that together close a circle', () => {
  it.each([2, 3, 5])('of %i issues: one is refused', async (length) => {
    await inBatches(howMany(4, 30), 2, async () => {
      const issues = await Promise.all(upTo(length).map(() => anIssue(here, project)));
      const answers = await Promise.all(
        issues.map((issue, at) => put(side(at), issue, { parentId: issues[(at + 1) % length]!.id })),
      );
      expect(countByStatus(answers)).toEqual({ 200: length - 1, 409: 1 });
    });
  });

  it('with blockers: one is refused', async () => {
    await inBatches(howMany(6, 30), 2, async (round) => {
      const [one, two] = [await anIssue(here, project), await anIssue(here, project)];
      const answers = await Promise.all([
        put(side(round), one, { parentId: two.id }),
        side(round + 1).post(`/api/projects/issues/${two.id}/links`, {
          targetIssueId: one.id,
          linkType: 'Blocks',
        }),
      ]);
      expect(answers.map(({ status }) => status >= 400).toSorted()).toEqual([false, true]);
    });
  });
});

it('trees that grow at both ends never have more than 8 levels', async () => {
  await inBatches(howMany(4, 30), 2, async (round) => {
    const chain = async (length: number) => {
      const issues = [await anIssue(here, project)];
      while (issues.length < length) issues.push(await aChild(issues.at(-1)!));
      return issues as [Issue, ...Issue[]];
    };
    const [upper, middle, lower] = [await chain(3), await chain(3), await chain(3)];
    const answers = await Promise.all([
      put(side(round), middle[0], { parentId: upper[2]!.id }),
      put(side(round + 1), lower[0], { parentId: middle[2]!.id }),
    ]);
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 1 });
  });
});

it('a child is in one place when it is moved by many requests at once', async () => {
  await inBatches(howMany(4, 30), 2, async () => {
    const parents = await Promise.all(upTo(5).map(() => anIssue(here, project)));
    const child = await anIssue(here, project);
    const answers = await Promise.all(
      parents.map((parent, at) => put(side(at), child, { parentId: parent.id })),
    );
    expect(countByStatus(answers)).toEqual({ 200: 5 });
    const { parentId } = await read(here, child);
    for (const parent of parents)
      expect(await read(here, parent)).toMatchObject({
        status: parent.id === parentId ? 'WaitingOnDependency' : 'Open',
        children: { total: parent.id === parentId ? 1 : 0 },
      });
  });
});
