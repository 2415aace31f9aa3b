import { describe, expect, it } from '@jest/globals';
import { anIssue, aProject } from '../../support/builders.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { waiting } from './heartbeat-requests.js';

const service = useService({ settings: { LEASE_SECONDS: '75' } });

describe('500 workers that wait', () => {
  it('hold up no other request, and one of them gets the next issue', async () => {
    const editor = await asEditor(service);
    const project = await aProject(editor);
    const agent = await asAgent(service, { maxConcurrentIssues: 1000 });
    const sent = Array.from({ length: 500 }, (_, number) => waiting(agent, { worker: `w${number}` }, 12));
    await until(
      async () => (await service.owner.get(`/api/agents/${agent.id}`)).body['lastHeartbeatAt'] !== null,
    );
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
