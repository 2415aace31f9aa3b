import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { act, expectInvalidPaths, expectSuccess } from '../work/issues/issue-requests.js';
import { waiting } from './heartbeat-requests.js';

const service = useService({ settings: { LEASE_SECONDS: '75' } });
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

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
