import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { refused } from '../../../support/refusal.js';
import { useService } from '../../../support/service.js';
import type { Loose } from '../../../support/wire.js';
import { modern } from '../../gateway/wire-call.js';

const service = useService();
let editor: Caller;
let [agent, other]: Caller[] = [];
beforeAll(async () => {
  editor = await asEditor(service);
  [agent, other] = [await asAgent(service), await asAgent(service)];
});

interface Work {
  work: { issueId: string; brief: string }[];
}

const issuesOf = ({ id }: Project) => `/api/projects/${id}/issues`;
const given = (to: Caller | undefined, title = 'work') => ({ title, ...(to && { assignedAgentId: to.id }) });

describe('agentsMayAssign', () => {
  it('is any by default, and each change is in the audit', async () => {
    const project = await aProject(editor);
    expect(project).toMatchObject({ agentsMayAssign: 'any' });
    const changed = await editor.put(`/api/projects/${project.id}`, { agentsMayAssign: 'self' });
    expect(changed.body).toMatchObject({ agentsMayAssign: 'self', visibility: 'open', name: project.name });
    expect((await editor.get(`/api/projects/${project.id}`)).body).toMatchObject({ agentsMayAssign: 'self' });
    const [entry] = (
      await service.owner.get<Loose[]>(`/api/audit?projectId=${project.id}&type=project.updated`)
    ).body;
    expect(entry).toMatchObject({ data: { agentsMayAssign: { old: 'any', new: 'self' } } });
    expect(await editor.put(`/api/projects/${project.id}`, { agentsMayAssign: 'none' })).toMatchObject(
      refused(400, 'validation_failed', 'agentsMayAssign'),
    );
    expect(
      (await (await asViewer(service)).put(`/api/projects/${project.id}`, { agentsMayAssign: 'any' })).status,
    ).toBe(403);
  });

  it('any lets an agent assign a new issue to another agent, whose brief says where it comes from', async () => {
    const project = await aProject(editor);
    const issue = await agent!.post(issuesOf(project), given(other));
    expect(issue.status).toBe(201);
    const { body } = await other!.post<Work>('/api/agents/me/heartbeat', { worker: 'w' });
    const [item] = body.work;
    expect(item).toMatchObject({ issueId: issue.body['id'] });
    expect(item!.brief).toContain(`This issue comes from the agent ${agent!.name}, not from a person.`);
    const timeline = await editor.get<Loose[]>(`/api/projects/issues/${String(issue.body['id'])}/activity`);
    expect(timeline.body[0]).toMatchObject({
      type: 'issue.created',
      actor: { type: 'agent', id: agent!.id },
    });
  });

  it('says nothing about the sender in the brief of an issue that a person created', async () => {
    const project = await aProject(editor);
    const worker = await asAgent(service);
    await anIssue(editor, project, { assignedAgentId: worker.id });
    const { body } = await worker.post<Work>('/api/agents/me/heartbeat', { worker: 'w' });
    expect(body.work[0]!.brief).not.toContain('comes from');
  });

  it('self refuses an assignment to another agent and stores nothing, over HTTP and MCP', async () => {
    const project = await aProject(editor, { agentsMayAssign: 'self' });
    expect(await agent!.post(issuesOf(project), given(other))).toMatchObject(
      refused(403, 'assignment_refused'),
    );
    const { message } = await modern(agent!, 'tools/call', {
      name: 'platform__create_issue',
      arguments: { projectId: project.id, ...given(other) },
    });
    expect(message).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(message)).toContain('themselves only');
    expect((await editor.get<unknown[]>(issuesOf(project))).body).toEqual([]);
  });

  it('self lets an agent assign to itself or to no agent, and a person to any', async () => {
    const project = await aProject(editor, { agentsMayAssign: 'self' });
    for (const to of [agent, undefined])
      expect((await agent!.post(issuesOf(project), given(to))).status).toBe(201);
    const upper = { title: 'x', assignedAgentId: agent!.id.toUpperCase() };
    expect((await agent!.post(issuesOf(project), upper)).status).not.toBe(403);
    expect((await editor.post(issuesOf(project), given(other))).status).toBe(201);
  });
});
