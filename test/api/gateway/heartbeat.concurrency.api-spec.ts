import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { anIssue, aProject, type Project } from '../../support/builders.js';
import type { Answer } from '../../support/answer.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { expectNoServerErrors, howMany, inBatches, upTo } from '../work/issues/concurrent-requests.js';
import { expectInvariants } from '../work/issues/invariants.js';
import { act, anIssueIn, put, read } from '../work/issues/issue-requests.js';
import {
  sendHeartbeat,
  leasesOf,
  pickUp,
  putHeld,
  runOut,
  takeTurn,
  type Held,
} from './heartbeat-requests.js';
import { WAITING_FOR_LOCKS } from '../../support/waiting-for-locks.js';

// At full size a test sends thousands of requests.
jest.setTimeout(600_000);

const service = useService();
let other: Service;
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  other = await service.second();
  project = await aProject(editor);
});
afterEach(() => expectInvariants(service));

const assign = (agent: Caller, count: number) =>
  inBatches(count, 6, () => anIssue(editor, project, { assignedAgentId: agent.id }));
/** Returns the agent's workers, half of them at each process. */
const workersOf = (agent: Caller, count: number) =>
  upTo(count).map((number) => (number % 2 ? agent : agent.at(other)));

it('many workers of one agent share its issues: each is picked up exactly once', async () => {
  const agent = await asAgent(service, { maxConcurrentIssues: 1000 });
  const issues = await assign(agent, howMany(20, 200));
  const picked: Held[] = [];
  await Promise.all(
    workersOf(agent, howMany(8, 40)).map(async (worker) => {
      for (let got: Held[] = [{ issueId: '', token: 0 }]; got.length > 0; picked.push(...got))
        got = leasesOf(await sendHeartbeat(worker, { capacity: 2 }));
    }),
  );
  expect(picked.map(({ issueId }) => issueId).toSorted()).toEqual(issues.map(({ id }) => id).toSorted());
  expect(new Set(picked.map(({ token }) => token))).toEqual(new Set([1]));
  const pickUps = await service.sql(
    `SELECT issue_id FROM journal WHERE type = 'issue.picked_up' AND issue_id = ANY($1)`,
    [issues.map(({ id }) => id)],
  );
  expect(pickUps).toHaveLength(issues.length);
});

it('many workers finish all issues, and none twice', async () => {
  const agent = await asAgent(service, { maxConcurrentIssues: 5 });
  const issues = await assign(agent, howMany(16, 120));
  const done: string[] = [];
  await Promise.all(
    workersOf(agent, 8).map(async (worker) => {
      while (done.length < issues.length)
        for (const held of leasesOf(await sendHeartbeat(worker, { capacity: 1 }))) {
          expect((await putHeld(worker, held, { status: 'Resolved' })).status).toBe(200);
          done.push(held.issueId);
        }
    }),
  );
  expect(done.toSorted()).toEqual(issues.map(({ id }) => id).toSorted());
});

it('workers that call concurrently get at most maxConcurrentIssues together', async () => {
  await inBatches(howMany(3, 20), 1, async () => {
    const agent = await asAgent(service, { maxConcurrentIssues: 3 });
    await assign(agent, 12);
    const beats = await Promise.all(
      workersOf(agent, 10).map((worker) => sendHeartbeat(worker, { capacity: 2 })),
    );
    expect(beats.flatMap(leasesOf)).toHaveLength(3);
  });
});

describe('an issue', () => {
  it('that is resumed during a heartbeat is handed out once', async () => {
    await inBatches(howMany(6, 100), 3, async () => {
      const agent = await asAgent(service);
      const issue = await anIssueIn(editor, project, 'paused', { assignedAgentId: agent.id });
      const [resumed, ...beats] = await Promise.all([
        act(editor, issue, 'resume'),
        ...workersOf(agent, 3).map((worker) => sendHeartbeat(worker)),
      ]);
      expect(resumed.status).toBe(204);
      const after = await sendHeartbeat(agent);
      expect([...beats, after].flatMap(leasesOf)).toHaveLength(1);
      expect((await read(editor, issue)).status).toBe('InProgress');
    });
  });

  it('that is paused, reassigned or blocked during a heartbeat is never held by an agent without a right to it', async () => {
    await inBatches(howMany(6, 90), 3, async (number) => {
      const [agent, next] = [await asAgent(service), await asAgent(service)];
      const [issue, blocker] = [
        await anIssue(editor, project, { assignedAgentId: agent.id }),
        await anIssue(editor, project),
      ];
      const changes = [
        () => put(editor, issue, { assignedAgentId: next.id }),
        () =>
          editor.post(`/api/projects/issues/${issue.id}/links`, {
            targetIssueId: blocker.id,
            linkType: 'BlockedBy',
          }),
        () => put(editor, issue, { status: 'Resolved' }),
      ];
      const [changed, ...beats] = await Promise.all([
        changes[number % 3]!(),
        ...workersOf(agent, 2).map((worker) => sendHeartbeat(worker)),
      ]);
      expect(changed.status).toBeLessThan(300);
      for (const held of beats.flatMap(leasesOf)) expect((await takeTurn(agent, held)).proceed).toBe(false);
      expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
    });
  });

  it('whose lease ran out continues with its late worker or with a new one, never with both', async () => {
    await inBatches(howMany(8, 300), 2, async (number) => {
      const agent = await asAgent(service);
      const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
      const held = await pickUp(agent, issue);
      await runOut(service, issue);
      const late =
        number % 2
          ? takeTurn(agent, held).then(({ proceed }) => proceed)
          : putHeld(agent, held, { title: 'Late' }).then(({ status }) => status === 200);
      const [goesOn, taken] = await Promise.all([late, sendHeartbeat(agent.at(other))]);
      expect(leasesOf(taken)).toHaveLength(goesOn ? 0 : 1);
    });
  });
});

it('concurrent heartbeats, turns and changes of one agent get no server error', async () => {
  const agent = await asAgent(service, { maxConcurrentIssues: 1000 });
  await assign(agent, 10);
  const held = await Promise.all(
    upTo(10).map(async () => leasesOf(await sendHeartbeat(agent, { capacity: 1 }))),
  ).then((leases) => leases.flat());
  expect(held).toHaveLength(10);
  const answers = await inBatches(howMany(40, 1_000), 16, (number): Promise<Answer<unknown>> => {
    const [worker, one] = [number % 2 ? agent : agent.at(other), held[number % held.length]!];
    if (number % 5 === 0) return worker.post('/api/agents/me/heartbeat', { leases: held });
    if (number % 5 === 1) return worker.post('/api/agents/me/turns', one);
    if (number % 5 === 2) return putHeld(worker, one, { description: `Step ${number}` });
    if (number % 5 === 3)
      return worker.post(`/api/projects/issues/${one.issueId}/comments`, { content: `Step ${number}` });
    return put(editor, { id: one.issueId }, { priority: 'high' });
  });
  expectNoServerErrors(answers);
});

it('a resumed issue is picked up only by the agent that it was reassigned to', async () => {
  const [one, two] = [await asAgent(service), await asAgent(service)];
  const issue = await anIssue(editor, project, { assignedAgentId: one.id });
  await pickUp(one, issue);
  await act(editor, issue, 'pause');
  await Promise.all([
    act(editor, issue, 'resume'),
    put(editor, issue, { assignedAgentId: two.id }),
    sendHeartbeat(one),
    sendHeartbeat(two),
  ]);
  expect((await sendHeartbeat(one)).pickedUp).toEqual([]);
  await sendHeartbeat(two);
  expect((await read(editor, issue)).lease).not.toBe(null);
});

describe('the name of a worker', () => {
  const first = { worker: 'w', instance: 'first', leases: [] };
  const second = { ...first, instance: 'second' };
  const beat = (agent: Caller, body: object) => agent.post('/api/agents/me/heartbeat', body);

  it('goes to one of the processes that send their first heartbeats at once', async () => {
    await inBatches(howMany(6, 100), 2, async () => {
      const agent = await asAgent(service, { maxConcurrentIssues: 10 });
      await anIssue(editor, project, { assignedAgentId: agent.id });
      const beats = await Promise.all(
        workersOf(agent, 4).map((process, at) => beat(process, { ...first, instance: `process ${at}` })),
      );
      expect(beats.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
      for (const { status, body } of beats) if (status === 409) expect(body['code']).toBe('worker_taken');
    });
  });

  it('that is taken over during an end of its lease leaves the lease with one of the two processes', async () => {
    await inBatches(howMany(8, 300), 2, async (number) => {
      const agent = await asAgent(service);
      const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
      const held = { issueId: issue.id, token: 1 };
      await sendHeartbeat(agent, first);
      const end =
        number % 2
          ? agent.post(`/api/projects/issues/${issue.id}/finish`, { token: 1, status: 'Resolved' })
          : putHeld(agent, held, { status: 'Resolved' });
      const [ended, taken] = await Promise.all([
        end,
        sendHeartbeat(agent.at(other), { ...second, takeOver: true }),
      ]);
      const started = taken.work!.filter(({ state }) => state === 'start');
      if (ended.status === 200) expect(started).toEqual([]);
      else {
        expect(ended.body).toMatchObject({ code: 'lease_lost', reason: 'taken_over' });
        expect(started).toMatchObject([{ issueId: issue.id, token: 2 }]);
      }
    });
  });

  it('that is taken over within a finish waits for its commit', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    await sendHeartbeat(agent, first);
    const waits = (count: number) => service.sql(WAITING_FOR_LOCKS).then(({ length }) => length >= count);
    let hasTaken = false;
    await service.sql('BEGIN');
    // The finish has looked at its lease when it counts its comment.
    const count = `INSERT INTO agent_quotas (agent_id, kind, since, number, bytes) VALUES ($1, 'comments', now(), 0, 0)`;
    await service.sql(count, [agent.id]);
    const end = agent.post(`/api/projects/issues/${issue.id}/finish`, {
      token: 1,
      status: 'Resolved',
      comment: 'Done.',
    });
    await until(() => waits(1));
    const taken = sendHeartbeat(agent.at(other), { ...second, takeOver: true }).finally(
      () => (hasTaken = true),
    );
    await until(async () => hasTaken || (await waits(2)));
    await service.sql('COMMIT');
    expect((await end).status).toBe(200);
    expect((await taken).work).toEqual([]);
  });

  it('that is taken over during a heartbeat of its process leaves the new tokens with the new process alone', async () => {
    await inBatches(howMany(8, 300), 2, async () => {
      const agent = await asAgent(service);
      await anIssue(editor, project, { assignedAgentId: agent.id });
      await sendHeartbeat(agent, first);
      const [old, taken] = await Promise.all([
        beat(agent, first),
        sendHeartbeat(agent.at(other), { ...second, takeOver: true }),
      ]);
      expect(taken.work).toMatchObject([{ token: 2, state: 'start' }]);
      if (old.status === 200) expect(old.body['work']).toMatchObject([{ token: 1 }]);
      else expect(old.body).toMatchObject({ code: 'worker_superseded' });
    });
  });
});
