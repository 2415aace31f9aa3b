import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import {
  act,
  expectInvalidPaths,
  expectRefused,
  expectSuccess,
  put,
  read,
} from '../work/issues/issue-requests.js';
import { putHeld, sendHeartbeat, takeTurn, type Held } from './heartbeat-requests.js';

const service = useService({ settings: { LEASE_SECONDS: '75' } });
let other: Service;
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  other = await service.second();
  project = await aProject(editor);
});

const body = (instance: string, more: object = {}) => ({ worker: 'w', instance, leases: [], ...more });
const beat = (agent: Caller, instance: string, more: object = {}) =>
  agent.post('/api/agents/me/heartbeat', body(instance, more));
const work = async (agent: Caller, instance: string, more: object = {}) =>
  (await sendHeartbeat(agent, body(instance, more))).work!.map(({ issueId, token, state, reason }) => ({
    issueId,
    token,
    state,
    reason,
  }));
interface Taken {
  since: string;
  retryAfterSeconds: number;
}

const finish = (agent: Caller, { issueId, token }: Held) =>
  agent.post(`/api/projects/issues/${issueId}/finish`, { token, status: 'Resolved' });
const release = (agent: Caller, { issueId, token }: Held) =>
  agent.post(`/api/projects/issues/${issueId}/release`, { token });
const assigned = (agent: Caller) => anIssue(editor, project, { assignedAgentId: agent.id });
const started = (held: Held) => [{ ...held, state: 'start', reason: null }];

/** Makes it so that the instance of the worker sent its last heartbeat a lease ago. */
const silence = (agent: Caller) =>
  service.sql(`UPDATE worker_instances SET seen_at = seen_at - interval '76 seconds' WHERE agent_id = $1`, [
    agent.id,
  ]);

async function atWork(): Promise<{ agent: Caller; issue: Issue; held: Held }> {
  const agent = await asAgent(service);
  const issue = await assigned(agent);
  const held = { issueId: issue.id, token: 1 };
  expect(await work(agent, 'first')).toEqual(started(held));
  return { agent, issue, held };
}

describe('a second process under the name of a worker', () => {
  it('gets 409 worker_taken with since and retryAfterSeconds, and neither renews nor is handed anything', async () => {
    const { agent, issue } = await atWork();
    await assigned(agent);
    const { lease } = await read(editor, issue);
    const answer = beat(agent.at(other), 'second', { capacity: 5 });
    const { since, retryAfterSeconds } = (await expectRefused(
      answer,
      409,
      'worker_taken',
    )) as unknown as Taken;
    expect(Date.now() - Date.parse(since)).toBeLessThan(75_000);
    expect(retryAfterSeconds).toBeGreaterThan(60);
    expect(retryAfterSeconds).toBeLessThanOrEqual(75);
    expect((await answer).headers['retry-after']).toBe(String(retryAfterSeconds));
    expect((await read(editor, issue)).lease).toEqual(lease);
    expect(await work(agent, 'first', { leases: [{ issueId: issue.id, token: 1 }], capacity: 0 })).toEqual([
      { issueId: issue.id, token: 1, state: 'continue', reason: null },
    ]);
  });

  it.each([
    ['takes over', { takeOver: true }, () => Promise.resolve()],
    ['follows a silent one', {}, silence],
  ])('starts the leases that it gets when it %s and names none', async (_how, more, before) => {
    const { agent, issue } = await atWork();
    await before(agent);
    const next = await work(agent, 'second', { ...more, leases: undefined });
    expect(next).toEqual(started({ issueId: issue.id, token: 2 }));
    expect(await work(agent, 'second', { leases: undefined })).toEqual([{ ...next[0], state: 'continue' }]);
  });

  it('gets it from an idle worker too, and may use another name', async () => {
    const agent = await asAgent(service);
    expect(await work(agent, 'first')).toEqual([]);
    await expectRefused(beat(agent, 'second'), 409, 'worker_taken');
    await expectRefused(beat(agent, 'second', { failing: 'I am broken.' }), 409, 'worker_taken');
    expect((await service.owner.get(`/api/agents/${agent.id}`)).body['failing']).toBeNull();
    expect((await beat(agent, 'second', { worker: 'w2' })).status).toBe(200);
    expect((await beat(await asAgent(service), 'second')).status).toBe(200);
  });

  it('gets the leases with the same tokens when it is the same process, whatever was lost', async () => {
    const { agent, held } = await atWork();
    expect(await work(agent.at(other), 'first')).toEqual(started(held));
    expect(await work(agent, 'first', { takeOver: true })).toEqual(started(held));
  });

  it('continues as before where neither names an instance', async () => {
    const agent = await asAgent(service);
    const issue = await assigned(agent);
    for (let process = 0; process < 2; process += 1)
      expect((await sendHeartbeat(agent, { worker: 'w', leases: [] })).work).toMatchObject([
        { issueId: issue.id, token: 1, state: 'start' },
      ]);
  });
});

describe.each([
  ['with takeOver', () => Promise.resolve([]), { takeOver: true }],
  ['after the silence of a lease', silence, {}],
])('a process that takes the name over %s', (_how, prepare, more) => {
  it('starts the issues of the name with new tokens, without an attempt', async () => {
    const { agent, issue, held } = await atWork();
    await prepare(agent);
    const mine = { ...held, token: 2 };
    expect(await work(agent.at(other), 'second', more)).toEqual(started(mine));
    expect(await work(agent, 'second', { leases: [mine] })).toMatchObject([{ ...mine, state: 'continue' }]);
    await expectSuccess(finish(agent, mine));
    expect(await read(editor, issue)).toMatchObject({ status: 'Resolved', attempts: 0 });
  });

  it('supersedes the other one for good, which takeOver does not undo', async () => {
    const { agent, held } = await atWork();
    await prepare(agent);
    await work(agent, 'second', more);
    for (const process of [agent, agent.at(other)]) {
      await expectRefused(beat(process, 'first', { leases: [held] }), 409, 'worker_superseded');
      await expectRefused(beat(process, 'first', { takeOver: true }), 409, 'worker_superseded');
    }
    await silence(agent);
    await expectRefused(beat(agent, 'first'), 409, 'worker_superseded');
    await work(agent, 'third');
    await expectRefused(beat(agent, 'second'), 409, 'worker_superseded');
    await expectRefused(beat(agent, 'first'), 409, 'worker_superseded');
  });

  it('lets the old tokens end nothing: they are lease_lost with the reason taken_over', async () => {
    const { agent, issue, held } = await atWork();
    await prepare(agent);
    await work(agent, 'second', more);
    const lost = { reason: 'taken_over' };
    const mine = { ...held, token: 2 };
    for (const tries of [
      () => finish(agent, held),
      () => release(agent, held),
      () => putHeld(agent, held, { title: 'Late' }),
    ]) {
      expect(await expectRefused(tries(), 409, 'lease_lost')).toMatchObject(lost);
    }
    expect(await takeTurn(agent, held)).toMatchObject({ proceed: false, ...lost });
    expect((await takeTurn(agent, mine)).proceed).toBe(true);
    // A third process takes the name from the second, and the oldest token stays a superseded one, also after the end.
    await work(agent, 'third', { takeOver: true });
    for (const token of [1, 2]) expect((await finish(agent, { ...held, token })).body).toMatchObject(lost);
    await expectSuccess(finish(agent, { ...held, token: 3 }));
    for (const token of [1, 2]) expect((await finish(agent, { ...held, token })).body).toMatchObject(lost);
    expect(await read(editor, issue)).toMatchObject({ status: 'Resolved', title: issue.title });
  });
});

describe('an old token', () => {
  it('of an issue that was paused or given to another agent has the reason that stands above the take-over', async () => {
    const { agent, issue, held } = await atWork();
    await work(agent, 'second', { takeOver: true });
    await expectSuccess(put(editor, issue, { assignedAgentId: (await asAgent(service)).id }));
    expect(await takeTurn(agent, held)).toMatchObject({ proceed: false, reason: 'reassigned' });
  });

  it('ends the key of its lease for the tools', async () => {
    const agent = await asAgent(service);
    await assigned(agent);
    const [item] = (await sendHeartbeat(agent, body('first'))).work!;
    await work(agent, 'second', { takeOver: true });
    const { url, headers } = item!.connect!;
    const call = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(call.status).toBe(401);
  });
});

describe('a heartbeat that waits', () => {
  it('ends with 409 worker_superseded as soon as another process has its leases', async () => {
    const { agent, held } = await atWork();
    const named = body('first', { leases: [held], capacity: 0 });
    const sent = agent.post('/api/agents/me/heartbeat?wait=25', named);
    await until(
      async () =>
        (await service.sql(`SELECT 1 FROM worker_instances WHERE agent_id = $1`, [agent.id])).length,
    );
    await work(agent.at(other), 'second', { takeOver: true });
    await expectRefused(sent, 409, 'worker_superseded');
  });
});

describe('the leases of a worker that named no instance', () => {
  it('go on with new tokens when the first process with an instance comes', async () => {
    const agent = await asAgent(service);
    const issue = await assigned(agent);
    await sendHeartbeat(agent, { worker: 'w' });
    expect(await work(agent, 'first')).toEqual(started({ issueId: issue.id, token: 2 }));
    expect(await takeTurn(agent, { issueId: issue.id, token: 1 })).toMatchObject({ reason: 'taken_over' });
  });
});

describe('a lease that another process has taken over', () => {
  it('and that ended meanwhile is one to stop', async () => {
    const { agent, issue } = await atWork();
    await expectSuccess(act(editor, issue, 'pause'));
    expect(await work(agent, 'second', { takeOver: true })).toEqual([
      { issueId: issue.id, token: 1, state: 'stop', reason: 'paused' },
    ]);
  });
});

describe('the names of processes', () => {
  it.each([
    ['instance', { instance: 'i', worker: undefined }],
    ['takeOver', { takeOver: true, instance: undefined }],
    ['instance', { instance: '' }],
    ['instance', { instance: 'x'.repeat(65) }],
    ['takeOver', { takeOver: 'yes' }],
  ])('need %s to be right (%j)', async (path, more) => {
    const agent = await asAgent(service);
    await expectInvalidPaths(agent.post('/api/agents/me/heartbeat', body('i', more)), path);
  });

  it('are forgotten a day after the last heartbeat', async () => {
    const agent = await asAgent(service);
    await beat(agent, 'first', { worker: 'old' });
    await service.sql(
      `UPDATE worker_instances SET seen_at = now() - interval '25 hours' WHERE agent_id = $1`,
      [agent.id],
    );
    await beat(agent, 'first', { worker: 'new' });
    const rows = await service.sql(`SELECT worker FROM worker_instances WHERE agent_id = $1`, [agent.id]);
    expect(rows).toEqual([{ worker: 'new' }]);
  });
});
