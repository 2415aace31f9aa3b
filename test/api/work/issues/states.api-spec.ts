import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Project } from '../../../support/builders.js';
import { asAgent, asEditor } from '../../../support/callers.js';
import type { Caller } from '../../../support/caller.js';
import { useService } from '../../../support/service.js';
import {
  act,
  anIssueIn,
  link,
  expectSuccess,
  put,
  read,
  expectRefused,
  remove,
  STATUSES,
  type Status,
} from './issue-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const UNFINISHED: Status[] = ['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview'];

/** The statuses that a user may set from each status, by the contract's table. `paused` is Open and paused. */
const ALLOWED: Record<Status | 'paused', Status[]> = {
  Open: ['InProgress', 'Resolved', 'Closed'],
  paused: ['Resolved', 'Closed'],
  InProgress: ['Open', 'PendingReview', 'Resolved', 'Closed'],
  WaitingOnDependency: ['Resolved', 'Closed'],
  PendingReview: ['Open', 'InProgress', 'Resolved', 'Closed'],
  Resolved: ['Open', 'Closed'],
  Closed: ['Open'],
};
const FROM = Object.keys(ALLOWED) as (Status | 'paused')[];

describe('a status set by a user', () => {
  it.each(FROM)(
    'from %s is accepted exactly where the table and allowedTransitions allow it, and returns 409 otherwise',
    async (from) => {
      for (const to of STATUSES) {
        const issue = await anIssueIn(editor, project, from);
        expect(issue.allowedTransitions).toEqual(ALLOWED[from]);
        if (to === issue.status) continue;
        if (ALLOWED[from].includes(to)) {
          expect((await expectSuccess(put(editor, issue, { status: to }))).status).toBe(to);
          expect((await read(editor, issue)).status).toBe(to);
        } else {
          const refusal = await expectRefused(put(editor, issue, { status: to }), 409, 'invalid_transition');
          expect(refusal).toMatchObject({ from: issue.status, to, allowed: ALLOWED[from] });
          expect(await read(editor, issue)).toEqual(issue);
        }
      }
    },
  );

  it.each(FROM)('changes nothing, not even the version, when the issue already has it (%s)', async (from) => {
    const issue = await anIssueIn(editor, project, from);
    expect(await expectSuccess(put(editor, issue, { status: issue.status }))).toEqual(issue);
    expect(await read(editor, issue)).toEqual(issue);
  });

  it('sets startedAt once, and resolvedAt and closedAt while the status lasts', async () => {
    const issue = await anIssueIn(editor, project, 'InProgress');
    expect(issue).toMatchObject({ startedAt: expect.any(String), resolvedAt: null, closedAt: null });
    await expectSuccess(put(editor, issue, { status: 'Open' }));
    expect((await expectSuccess(put(editor, issue, { status: 'InProgress' }))).startedAt).toBe(
      issue.startedAt,
    );
    const resolved = await expectSuccess(put(editor, issue, { status: 'Resolved' }));
    expect(resolved).toMatchObject({ resolvedAt: expect.any(String), closedAt: null });
    expect(await expectSuccess(put(editor, issue, { status: 'Closed' }))).toMatchObject({
      resolvedAt: resolved.resolvedAt,
      closedAt: expect.any(String),
    });
    expect(await expectSuccess(put(editor, issue, { status: 'Open' }))).toMatchObject({
      resolvedAt: null,
      closedAt: null,
    });
  });
});

it('statusSince changes with the status and with nothing else', async () => {
  const issue = await anIssueIn(editor, project, 'InProgress');
  expect(issue.statusSince >= issue.createdAt).toBe(true);
  expect((await expectSuccess(put(editor, issue, { title: 'Other' }))).statusSince).toBe(issue.statusSince);
  const resolved = await expectSuccess(put(editor, issue, { status: 'Resolved' }));
  expect(resolved.statusSince).toBe(resolved.resolvedAt);
  expect((await anIssue(editor, project)).statusSince).toEqual(expect.any(String));
});

describe('a status set by an agent', () => {
  const wishes = FROM.flatMap((from) => STATUSES.map((to) => [from, to] as const)).filter(
    ([from, to]) => from !== to,
  );

  it('is accepted only from InProgress on its own issue: 403 when only a person may set it, 409 when no caller may', async () => {
    const agent = await asAgent(service);
    for (const [from, to] of wishes) {
      if (from === 'paused' && to === 'Open') continue;
      const issue = await anIssueIn(editor, project, from, { assignedAgentId: agent.id });
      const answer = await put(agent, issue, { status: to });
      const mayItself = from === 'InProgress' && ['PendingReview', 'Open', 'Resolved'].includes(to);
      const expected = mayItself ? 200 : ALLOWED[from].includes(to) ? 403 : 409;
      expect({ from, to, status: answer.status }).toEqual({ from, to, status: expected });
    }
  });
});

describe('blocking', () => {
  it.each(['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved', 'paused'] as const)(
    'an issue that is %s waits once a BlockedBy link to an unresolved issue appears',
    async (status) => {
      const issue = await anIssueIn(editor, project, status);
      await aLink(editor, issue, await anIssue(editor, project), 'BlockedBy');
      expect(await read(editor, issue)).toMatchObject({
        status: 'WaitingOnDependency',
        paused: status === 'paused',
      });
    },
  );

  it.each(UNFINISHED)('a Blocks link from an issue that is %s makes its target wait', async (status) => {
    const target = await anIssue(editor, project);
    await aLink(editor, await anIssueIn(editor, project, status), target, 'Blocks');
    expect((await read(editor, target)).status).toBe('WaitingOnDependency');
  });

  it.each(['Resolved', 'Closed'] as const)(
    'a blocker that is already %s is linked and makes no issue wait',
    async (status) => {
      const blocker = await anIssueIn(editor, project, status);
      const issue = await anIssueIn(editor, project, 'InProgress');
      await aLink(editor, issue, blocker, 'BlockedBy');
      const after = await read(editor, issue);
      expect(after).toMatchObject({ status: 'InProgress', version: issue.version });
      expect(after.links).toMatchObject([
        { targetIssueId: blocker.id, linkType: 'BlockedBy', target: { status } },
      ]);
    },
  );

  it.each(['RelatedTo', 'DuplicateOf'])('a %s link changes the status of neither end', async (linkType) => {
    const [one, other] = [await anIssueIn(editor, project, 'InProgress'), await anIssue(editor, project)];
    await aLink(editor, one, other, linkType);
    expect([(await read(editor, one)).status, (await read(editor, other)).status]).toEqual([
      'InProgress',
      'Open',
    ]);
  });

  it('a Closed issue accepts no new blocker from either side, and nothing is stored', async () => {
    const [closed, blocker] = [await anIssueIn(editor, project, 'Closed'), await anIssue(editor, project)];
    const expected = { from: 'Closed', to: 'WaitingOnDependency', allowed: ['Open'] };
    expect(
      await expectRefused(link(editor, closed, 'BlockedBy', blocker), 409, 'invalid_transition'),
    ).toMatchObject(expected);
    expect(
      await expectRefused(link(editor, blocker, 'Blocks', closed), 409, 'invalid_transition'),
    ).toMatchObject(expected);
    expect((await read(editor, blocker)).links).toEqual([]);
  });

  it('a Resolved issue that has to wait blocks its dependents again', async () => {
    const [first, middle, last] = await chain(3);
    await expectSuccess(put(editor, first, { status: 'Resolved' }));
    await expectSuccess(put(editor, middle, { status: 'Resolved' }));
    expect((await read(editor, last)).status).toBe('Open');
    await aLink(editor, middle, await anIssue(editor, project), 'BlockedBy');
    expect((await read(editor, middle)).status).toBe('WaitingOnDependency');
    expect((await read(editor, last)).status).toBe('WaitingOnDependency');
  });
});

describe('waiting', () => {
  const ENDS: Record<string, (blocker: { id: string }, linkId: string) => Promise<unknown>> = {
    resolved: (blocker) => expectSuccess(put(editor, blocker, { status: 'Resolved' })),
    'closed by force': (blocker) => expectSuccess(act(editor, blocker, 'close?force=true')),
    deleted: (blocker) => expectSuccess(remove(editor, blocker)),
    unlinked: (_blocker, linkId) => expectSuccess(editor.delete(`/api/projects/links/${linkId}`)),
  };

  it.each(Object.keys(ENDS))('ends when the last unresolved blocker is %s, assigned or not', async (end) => {
    for (const assignee of [{}, { assignedAgentId: (await asAgent(service)).id }]) {
      const [blocker, issue] = [await anIssue(editor, project), await anIssue(editor, project, assignee)];
      const { id } = await aLink(editor, issue, blocker, 'BlockedBy');
      await ENDS[end]!(blocker, id);
      expect((await read(editor, issue)).status).toBe('Open');
    }
  });

  it.each(Object.keys(ENDS))('continues after one blocker is %s while another is unresolved', async (end) => {
    const [blocker, other, issue] = [
      await anIssue(editor, project),
      await anIssue(editor, project),
      await anIssue(editor, project),
    ];
    const { id } = await aLink(editor, blocker, issue);
    await aLink(editor, other, issue);
    await ENDS[end]!(blocker, id);
    expect((await read(editor, issue)).status).toBe('WaitingOnDependency');
    await expectSuccess(put(editor, other, { status: 'Resolved' }));
    expect((await read(editor, issue)).status).toBe('Open');
  });

  it('keeps the pause of an issue, which is paused afterwards', async () => {
    const issue = await anIssueIn(editor, project, 'paused');
    const blocker = await anIssue(editor, project);
    await aLink(editor, blocker, issue);
    expect(await read(editor, issue)).toMatchObject({ status: 'WaitingOnDependency', paused: true });
    await expectSuccess(put(editor, blocker, { status: 'Resolved' }));
    expect(await read(editor, issue)).toMatchObject({ status: 'Open', paused: true });
  });

  it('ends with Resolved, which unblocks its dependents although its blocker is unresolved', async () => {
    const [, middle, last] = await chain(3);
    await expectSuccess(put(editor, middle, { status: 'Resolved' }));
    expect((await read(editor, last)).status).toBe('Open');
  });

  it('ends one issue at a time along a chain: an issue that opens still blocks the next', async () => {
    const issues = await chain(4);
    await expectSuccess(put(editor, issues[0]!, { status: 'Resolved' }));
    const statuses = await Promise.all(issues.map(async (issue) => (await read(editor, issue)).status));
    expect(statuses).toEqual(['Resolved', 'Open', 'WaitingOnDependency', 'WaitingOnDependency']);
  });
});

describe('reopening', () => {
  it.each(['Resolved', 'Closed'] as const)(
    'of a %s blocker makes its unfinished dependents wait',
    async (ended) => {
      const blocker = await anIssueIn(editor, project, ended);
      const dependents = await Promise.all(
        (['Open', 'InProgress', 'PendingReview', 'paused', 'Resolved'] as const).map((status) =>
          anIssueIn(editor, project, status),
        ),
      );
      for (const dependent of dependents) await aLink(editor, blocker, dependent);
      expect((await expectSuccess(put(editor, blocker, { status: 'Open' }))).status).toBe('Open');
      const after = await Promise.all(dependents.map((dependent) => read(editor, dependent)));
      expect(after.map(({ status, paused }) => (paused ? `paused ${status}` : status))).toEqual([
        'WaitingOnDependency',
        'WaitingOnDependency',
        'WaitingOnDependency',
        'paused WaitingOnDependency',
        'Resolved',
      ]);
    },
  );

  it('leads to WaitingOnDependency while a blocker is unresolved', async () => {
    const [, issue] = await chain(2);
    await expectSuccess(put(editor, issue!, { status: 'Resolved' }));
    expect((await expectSuccess(put(editor, issue!, { status: 'Open' }))).status).toBe('WaitingOnDependency');
    expect((await read(editor, issue!)).status).toBe('WaitingOnDependency');
  });
});

/** Creates issues of which each blocks the next. */
async function chain(length: number) {
  const issues = [await anIssue(editor, project)];
  while (issues.length < length)
    issues.push(await anIssue(editor, project, { blockedByIssueId: issues.at(-1)!.id }));
  return issues as [(typeof issues)[0], (typeof issues)[0], (typeof issues)[0], ...typeof issues];
}
