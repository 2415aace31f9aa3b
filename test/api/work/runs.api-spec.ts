import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RunResponse } from '../../../src/work/runs/run.dto.js';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { notFound, refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';
import { fileForm } from '../platform/access/access-world.js';

const service = useService();
let agent: Caller;
let project: Project;
beforeAll(async () => {
  agent = await asAgent(service);
  project = await aProject(service.owner);
});

const pathOf = (issue: Issue) => `/api/projects/issues/${issue.id}`;
const report = (issue: Issue, body: object, caller = agent) => caller.put(`${pathOf(issue)}/run`, body);
const runsOf = async (issue: Issue) =>
  (await service.owner.get<Wire<RunResponse>[]>(`${pathOf(issue)}/runs`)).body;

/** An issue that the agent works on, with the token of its lease. */
async function taken(): Promise<{ issue: Issue; token: number }> {
  const issue = await anIssue(service.owner, project, { assignedAgentId: agent.id });
  return { issue, token: await takeAgain() };
}

async function takeAgain(): Promise<number> {
  const { body } = await agent.post<{ pickedUp: { lease: { token: number } }[] }>(
    '/api/agents/me/heartbeat',
    { capacity: 1 },
  );
  return body.pickedUp[0]!.lease.token;
}

describe('a run', () => {
  it('shows what its worker reported, and keeps what a later report does not name', async () => {
    const { issue, token } = await taken();
    const first = { token, session: 's-1', turns: 1, tokens: 120, costMicros: 2500, output: 'one\ntwo' };
    expect((await report(issue, first)).status).toBe(204);
    await report(issue, { token, turns: 2, output: 'three' });
    expect(await runsOf(issue)).toEqual([
      {
        ...first,
        agent: { id: agent.id, name: expect.any(String) },
        state: 'running',
        turns: 2,
        output: 'three',
        logId: null,
        stopped: null,
        startedAt: expect.any(String),
        reportedAt: expect.any(String),
        stoppedAt: null,
      },
    ]);
  });

  it('is stopped with the first time and the last reason, also after its lease, and the next lease has another', async () => {
    const { issue, token } = await taken();
    await report(issue, { token });
    await service.owner.post(`${pathOf(issue)}/pause`);
    await report(issue, { token, stopped: 'Paused by a person.' });
    const [{ stoppedAt }] = (await runsOf(issue)) as [Wire<RunResponse>];
    await report(issue, { token, stopped: 'Paused.' });
    await service.owner.post(`${pathOf(issue)}/resume`);
    const next = await takeAgain();
    await report(issue, { token: next, turns: 1 });
    await report(issue, { token, turns: 7 });
    expect(await runsOf(issue)).toMatchObject([
      { token: next, state: 'running', turns: 1, stopped: null },
      { token, state: 'stopped', turns: 7, stopped: 'Paused.', stoppedAt },
    ]);
  });

  it('is lost when its lease is over and its worker reported no end', async () => {
    const { issue, token } = await taken();
    await report(issue, { token });
    await service.owner.put(pathOf(issue), { assignedAgentId: null });
    expect(await runsOf(issue)).toMatchObject([{ state: 'lost', stopped: null, stoppedAt: null }]);
  });

  it('has an attachment of its issue as its log, until that is deleted', async () => {
    const { issue, token } = await taken();
    const { body } = await agent.post(`${pathOf(issue)}/attachments`, undefined, { multipart: fileForm() });
    const logId = String(body['id']);
    expect((await report(issue, { token, logId })).status).toBe(204);
    expect(await runsOf(issue)).toMatchObject([{ logId }]);
    const other = await taken();
    const refusal = await report(other.issue, { token: other.token, logId });
    expect(refusal).toMatchObject(refused(400, 'validation_failed', 'logId'));
    await agent.delete(`/api/projects/attachments/${logId}`);
    expect(await runsOf(issue)).toMatchObject([{ logId: null }]);
  });

  it('is reported by the holder of the lease alone, and does not renew it', async () => {
    const { issue, token } = await taken();
    const other = await asAgent(service);
    expect(await report(issue, { token }, other)).toMatchObject(refused(409, 'lease_lost'));
    expect(await report(issue, { token: token + 1 })).toMatchObject(refused(409, 'lease_lost'));
    expect((await report(issue, { token }, service.owner)).status).toBe(403);
    expect(await runsOf(issue)).toEqual([]);
    const expiry = () => service.sql(`SELECT expires_at FROM issue_leases WHERE issue_id = $1`, [issue.id]);
    const before = await expiry();
    await report(issue, { token });
    expect(await expiry()).toEqual(before);
  });

  it('is deleted with its issue', async () => {
    const { issue, token } = await taken();
    await report(issue, { token });
    await service.owner.delete(`${pathOf(issue)}?confirm=true`);
    expect(await report(issue, { token })).toMatchObject(notFound);
  });
});
