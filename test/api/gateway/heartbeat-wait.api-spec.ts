import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { act, expectInvalidPaths, expectSuccess } from '../work/issues/issue-requests.js';
import type { Heartbeat } from './heartbeat-requests.js';

const service = useService({ settings: { LEASE_SECONDS: '75' } });
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const WAIT_SECONDS = 25;

/** Sends a heartbeat that waits, and says whether it is still waiting. */
function waiting(agent: Caller, body: object = {}, seconds = WAIT_SECONDS) {
  const sent = { isOpen: true, response: Promise.resolve() as Promise<unknown> as Promise<Heartbeat> };
  sent.response = agent
    .post<Heartbeat>(`/api/agents/me/heartbeat?wait=${seconds}`, { worker: 'w', ...body })
    .then(({ status, body: heartbeat, text }) => {
      sent.isOpen = false;
      if (status !== 200) throw new Error(text);
      return heartbeat;
    });
  return sent;
}

/** Waits until the service has received a request and looked at the database for it. */
const isWaiting = async (agent: Caller) =>
  until(async () => (await service.owner.get(`/api/agents/${agent.id}`)).body['lastHeartbeatAt'] !== null);

describe('a heartbeat that waits', () => {
  it('responds when an issue is there to start', async () => {
    const agent = await asAgent(service);
    const sent = waiting(agent);
    await isWaiting(agent);
    expect(sent.isOpen).toBe(true);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    expect((await sent.response).work).toMatchObject([{ issueId: issue.id, state: 'start' }]);
  });

  it('responds when an issue is there to stop', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    await waiting(agent).response;
    const sent = waiting(agent, { capacity: 0 });
    await expectSuccess(act(editor, issue, 'pause'));
    expect((await sent.response).work).toMatchObject([
      { issueId: issue.id, state: 'stop', reason: 'paused' },
    ]);
  });

  it('responds at once when there is something already', async () => {
    const agent = await asAgent(service);
    await anIssue(editor, project, { assignedAgentId: agent.id });
    expect((await waiting(agent).response).pickedUp).toHaveLength(1);
  });

  it.each(['26', '-1', 'x', '1.5'])('for %s seconds is 400', async (wait) => {
    const agent = await asAgent(service);
    await expectInvalidPaths(agent.post(`/api/agents/me/heartbeat?wait=${wait}`, {}), 'wait');
  });
});

describe('500 workers that wait', () => {
  it('hold up no other request, and one of them gets the next issue', async () => {
    const agent = await asAgent(service, { maxConcurrentIssues: 1000 });
    const sent = Array.from({ length: 500 }, (_, number) => waiting(agent, { worker: `w${number}` }, 12));
    await isWaiting(agent);
    expect((await editor.get('/api/projects')).status).toBe(200);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    const first = await Promise.race(
      sent.map(({ response }) => response.then((heartbeat) => heartbeat.pickedUp)),
    );
    expect(first).toMatchObject([{ issue: { id: issue.id } }]);
    const all = await Promise.all(sent.map(({ response }) => response));
    expect(all.flatMap(({ pickedUp }) => pickedUp)).toHaveLength(1);
  });
});
