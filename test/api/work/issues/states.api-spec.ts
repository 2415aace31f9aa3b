import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Project } from '../../../support/builders.js';
import { asAgent, asEditor } from '../../../support/callers.js';
import type { Caller } from '../../../support/caller.js';
import { useService } from '../../../support/service.js';
import {
  act,
  anIssueIn,
  link,
  must,
  put,
  read,
  refused,
  remove,
  STATUSES,
  type Status,
} from './issue-acts.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const UNFINISHED: Status[] = ['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview'];

/** What a user may PUT from where, by the contract's table; `paused` is Open and paused. */
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
    'from %s goes where the table leads, is told as allowedTransitions, and is 409 elsewhere',
    async (from) => {
      for (const to of STATUSES) {
        const issue = await anIssueIn(editor, project, from);
        expect(issue.allowedTransitions).toEqual(ALLOWED[from]);
        if (to === issue.status) continue;
        if (ALLOWED[from].includes(to)) {
          expect((await must(put(editor, issue, { status: to }))).status).toBe(to);
          expect((await read(editor, issue)).status).toBe(to);
        } else {
          const refusal = await refused(put(editor, issue, { status: to }), 409, 'invalid_transition');
          expect(refusal).toMatchObject({ from: issue.status, to, allowed: ALLOWED[from] });
          expect(await read(editor, issue)).toEqual(issue);
        }
      }
    },
  );

  it.each(FROM)('to the one that it has (%s) changes nothing, not even the version', async (from) => {
    const issue = await anIssueIn(editor, project, from);
    expect(await must(put(editor, issue, { status: issue.status }))).toEqual(issue);
    expect(await read(editor, issue)).toEqual(issue);
  });

  it('sets startedAt once, resolvedAt and closedAt while they hold', async () => {
    const issue = await anIssueIn(editor, project, 'InProgress');
    expect(issue).toMatchObject({ startedAt: expect.any(String), resolvedAt: null, closedAt: null });
    await must(put(editor, issue, { status: 'Open' }));
    expect((await must(put(editor, issue, { status: 'InProgress' }))).startedAt).toBe(issue.startedAt);
    const resolved = await must(put(editor, issue, { status: 'Resolved' }));
    expect(resolved).toMatchObject({ resolvedAt: expect.any(String), closedAt: null });
    expect(await must(put(editor, issue, { status: 'Closed' }))).toMatchObject({
      resolvedAt: resolved.resolvedAt,
      closedAt: expect.any(String),
    });
    expect(await must(put(editor, issue, { status: 'Open' }))).toMatchObject({
      resolvedAt: null,
      closedAt: null,
    });
  });
});

describe('a status set by an agent', () => {
  const wishes = FROM.flatMap((from) => STATUSES.map((to) => [from, to] as const)).filter(
    ([from, to]) => from !== to,
  );

  it('is open to it only from its own InProgress, 403 where only a person may, 409 where nobody may', async () => {
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
    'a blocker that is %s already makes nobody wait; the link is stored',
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

  it.each(['RelatedTo', 'DuplicateOf'])('a %s link moves neither end', async (linkType) => {
    const [one, other] = [await anIssueIn(editor, project, 'InProgress'), await anIssue(editor, project)];
    await aLink(editor, one, other, linkType);
    expect([(await read(editor, one)).status, (await read(editor, other)).status]).toEqual([
      'InProgress',
      'Open',
    ]);
  });

  it('a Closed issue takes no new blocker, from neither side, and nothing is stored', async () => {
    const [closed, blocker] = [await anIssueIn(editor, project, 'Closed'), await anIssue(editor, project)];
    const expected = { from: 'Closed', to: 'WaitingOnDependency', allowed: ['Open'] };
    expect(
      await refused(link(editor, closed, 'BlockedBy', blocker), 409, 'invalid_transition'),
    ).toMatchObject(expected);
    expect(await refused(link(editor, blocker, 'Blocks', closed), 409, 'invalid_transition')).toMatchObject(
      expected,
    );
    expect((await read(editor, blocker)).links).toEqual([]);
  });

  it('a Resolved issue that comes to wait holds up what it blocks again', async () => {
    const [first, middle, last] = await chain(3);
    await must(put(editor, first, { status: 'Resolved' }));
    await must(put(editor, middle, { status: 'Resolved' }));
    expect((await read(editor, last)).status).toBe('Open');
    await aLink(editor, middle, await anIssue(editor, project), 'BlockedBy');
    expect((await read(editor, middle)).status).toBe('WaitingOnDependency');
    expect((await read(editor, last)).status).toBe('WaitingOnDependency');
  });
});

describe('waiting', () => {
  const ENDS: Record<string, (blocker: { id: string }, linkId: string) => Promise<unknown>> = {
    resolved: (blocker) => must(put(editor, blocker, { status: 'Resolved' })),
    'closed by force': (blocker) => must(act(editor, blocker, 'close?force=true')),
    deleted: (blocker) => must(remove(editor, blocker)),
    unlinked: (_blocker, linkId) => must(editor.delete(`/api/projects/links/${linkId}`)),
  };

  it.each(Object.keys(ENDS))('ends when the last unresolved blocker is %s, assigned or not', async (end) => {
    for (const assignee of [{}, { assignedAgentId: (await asAgent(service)).id }]) {
      const [blocker, issue] = [await anIssue(editor, project), await anIssue(editor, project, assignee)];
      const { id } = await aLink(editor, issue, blocker, 'BlockedBy');
      await ENDS[end]!(blocker, id);
      expect((await read(editor, issue)).status).toBe('Open');
    }
  });

  it.each(Object.keys(ENDS))('goes on while another blocker is unresolved after one was %s', async (end) => {
    const [blocker, other, issue] = [
      await anIssue(editor, project),
      await anIssue(editor, project),
      await anIssue(editor, project),
    ];
    const { id } = await aLink(editor, blocker, issue);
    await aLink(editor, other, issue);
    await ENDS[end]!(blocker, id);
    expect((await read(editor, issue)).status).toBe('WaitingOnDependency');
    await must(put(editor, other, { status: 'Resolved' }));
    expect((await read(editor, issue)).status).toBe('Open');
  });

  it('keeps the pause of an issue, which comes back paused', async () => {
    const issue = await anIssueIn(editor, project, 'paused');
    const blocker = await anIssue(editor, project);
    await aLink(editor, blocker, issue);
    expect(await read(editor, issue)).toMatchObject({ status: 'WaitingOnDependency', paused: true });
    await must(put(editor, blocker, { status: 'Resolved' }));
    expect(await read(editor, issue)).toMatchObject({ status: 'Open', paused: true });
  });

  it('is ended by Resolved, which releases its own dependents though its blocker goes on', async () => {
    const [, middle, last] = await chain(3);
    await must(put(editor, middle, { status: 'Resolved' }));
    expect((await read(editor, last)).status).toBe('Open');
  });

  it('ends one step at a time along a chain: whoever opens still blocks the next', async () => {
    const issues = await chain(4);
    await must(put(editor, issues[0]!, { status: 'Resolved' }));
    const statuses = await Promise.all(issues.map(async (issue) => (await read(editor, issue)).status));
    expect(statuses).toEqual(['Resolved', 'Open', 'WaitingOnDependency', 'WaitingOnDependency']);
  });
});

describe('reopening', () => {
  it.each(['Resolved', 'Closed'] as const)(
    'of a %s blocker makes dependents wait that are not finished',
    async (ended) => {
      const blocker = await anIssueIn(editor, project, ended);
      const dependents = await Promise.all(
        (['Open', 'InProgress', 'PendingReview', 'paused', 'Resolved'] as const).map((status) =>
          anIssueIn(editor, project, status),
        ),
      );
      for (const dependent of dependents) await aLink(editor, blocker, dependent);
      expect((await must(put(editor, blocker, { status: 'Open' }))).status).toBe('Open');
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

  it('leads to WaitingOnDependency where a blocker is unresolved', async () => {
    const [, issue] = await chain(2);
    await must(put(editor, issue!, { status: 'Resolved' }));
    expect((await must(put(editor, issue!, { status: 'Open' }))).status).toBe('WaitingOnDependency');
    expect((await read(editor, issue!)).status).toBe('WaitingOnDependency');
  });
});

/** Issues of which each blocks the next. */
async function chain(length: number) {
  const issues = [await anIssue(editor, project)];
  while (issues.length < length)
    issues.push(await anIssue(editor, project, { blockedByIssueId: issues.at(-1)!.id }));
  return issues as [(typeof issues)[0], (typeof issues)[0], (typeof issues)[0], ...typeof issues];
}
