import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ExplainedIssueResponse } from '../../../src/work/issue-reading/issue.response.js';
import { aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';
import { act, anIssueIn, expectInvalidPaths, expectSuccess, put } from './issues/issue-requests.js';

type Explained = Wire<ExplainedIssueResponse>;

const service = useService();
let [editor, viewer]: Caller[] = [];
let project: Project;
beforeAll(async () => {
  [editor, viewer] = await Promise.all([asEditor(service), asViewer(service)]);
  project = await aProject(editor);
});

async function explained(caller: Caller, path: string): Promise<Explained[]> {
  const answer = await caller.get<Explained[]>(path);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}
const listOf = ({ id }: { id: string }) => `/api/projects/${id}/issues?fields=summary,why&sort=createdAt`;

async function explain(issue: { id: string }): Promise<{ reason: string; next: string }> {
  const { body } = await viewer!.get<{ reason: string; next: string }>(
    `/api/projects/issues/${issue.id}/explain`,
  );
  return body;
}

describe('a list with fields=summary,why', () => {
  it('gives each issue the reason and the sentence of explain', async () => {
    const [place, agent] = [await aProject(editor!), await asAgent(service)];
    for (const status of ['PendingReview', 'Resolved', 'Closed', 'paused'] as const)
      await anIssueIn(editor!, place, status);
    await anIssue(editor!, place);
    await anIssue(editor!, place, { assigneeUserId: viewer!.id });
    await anIssue(editor!, place, { assignedAgentId: agent.id });
    const found = await explained(viewer!, listOf(place));
    expect(found).toHaveLength(7);
    for (const { id, why } of found) {
      const { reason, next } = await explain({ id });
      expect(why).toMatchObject({ reason, sentence: next });
    }
    const summaries = await explained(viewer!, listOf(place).replace(',why', ''));
    const beside = found.map(({ why, code }) => ({ why, code }));
    expect(summaries.map((summary, at) => ({ ...summary, ...beside[at] }))).toEqual(found);
  });

  it('names who has to act', async () => {
    const [place, agent] = [await aProject(editor!), await asAgent(service)];
    await anIssue(editor!, place, { assigneeUserId: viewer!.id });
    await anIssue(editor!, place, { assignedAgentId: agent.id });
    await anIssue(editor!, place);
    const found = await explained(viewer!, listOf(place));
    expect(found.map(({ why }) => why.waitsFor)).toEqual([
      [{ type: 'user', id: viewer!.id, label: viewer!.name }],
      [{ type: 'agent', id: agent.id, label: agent.name }],
      [],
    ]);
  });

  it('names the direct unresolved blockers, five at most, and says that there are more', async () => {
    const place = await aProject(editor!);
    const waiting = await anIssue(editor!, place);
    const blockers: Issue[] = [];
    for (let number = 0; number < 6; number += 1) blockers.push(await anIssue(editor!, place));
    for (const blocker of blockers) await aLink(editor!, blocker, waiting);
    const [first] = await explained(viewer!, `${listOf(place)}&status=WaitingOnDependency`);
    expect(first!.why.waitsFor).toHaveLength(5);
    expect(first!.why.sentence).toContain(' and more; ');
    await expectSuccess(put(editor!, blockers[0]!, { status: 'Resolved' }));
    const [fewer] = await explained(viewer!, `${listOf(place)}&status=WaitingOnDependency`);
    expect(fewer!.why.waitsFor).toEqual(
      blockers.slice(1).map(({ id, key }) => ({ type: 'issue', id, label: key })),
    );
    expect(fewer!.why.sentence).toBe(
      `It waits for ${blockers
        .slice(1)
        .map(({ key }) => key)
        .join(', ')}; once they are Resolved or Closed, it becomes Open automatically.`,
    );
  });

  it('names the gates that an issue waits for, and so does explain', async () => {
    const [place, blocker] = [await aProject(editor!), await anIssue(editor!, project)];
    const issue = await anIssue(editor!, place);
    const asked = await editor!.post(`/api/projects/issues/${issue.id}/gates`, { question: 'Which one' });
    const gate = { type: 'gate', id: asked.body['id'], label: 'Which one' };
    const [held] = await explained(viewer!, listOf(place));
    expect(held!.why).toEqual({
      reason: 'waiting',
      sentence:
        'It waits for a person: Which one. Once a person has answered, it becomes Open automatically.',
      waitsFor: [gate],
    });
    expect((await viewer!.get(`/api/projects/issues/${issue.id}/explain`)).body).toMatchObject({
      reason: 'waiting',
      gates: [{ id: gate.id, kind: 'question', title: gate.label }],
    });
    await aLink(editor!, blocker, issue);
    const [both] = await explained(viewer!, listOf(place));
    expect(both!.why.waitsFor).toEqual([gate, { type: 'issue', id: blocker.id, label: blocker.key }]);
  });

  it('is a page like any other, and takes no other set of fields', async () => {
    const answer = await viewer!.get<Explained[]>(`${listOf(project)}&limit=1&count=true`);
    expect(answer.headers['x-total-count']).toEqual(expect.any(String));
    for (const fields of ['why', 'summary,', 'why,summary', 'summary,why,links'])
      await expectInvalidPaths(viewer!.get(`/api/projects/${project.id}/issues?fields=${fields}`), 'fields');
  });
});

describe('the counts of a project', () => {
  it('are its issues by status, with what the waiting ones wait for', async () => {
    const place = await aProject(editor!);
    const path = `/api/projects/${place.key}/counts`;
    const empty = {
      Open: 0,
      InProgress: 0,
      WaitingOnDependency: 0,
      PendingReview: 0,
      Resolved: 0,
      Closed: 0,
    };
    expect((await viewer!.get(path)).body).toEqual({ ...empty, waiting: { onWork: 0, onPerson: 0 } });
    for (const status of [
      'InProgress',
      'WaitingOnDependency',
      'PendingReview',
      'Resolved',
      'Closed',
    ] as const)
      await anIssueIn(editor!, place, status);
    const { body } = await viewer!.get(path);
    expect(body).toMatchObject({
      InProgress: 1,
      WaitingOnDependency: 1,
      PendingReview: 1,
      Resolved: 1,
      Closed: 1,
    });
    expect(body['waiting']).toEqual({ onWork: 1, onPerson: 0 });
    const asked = await anIssue(editor!, place);
    for (const question of ['One?', 'Two?'])
      expect((await editor!.post(`/api/projects/issues/${asked.id}/gates`, { question })).status).toBe(201);
    expect((await viewer!.get(path)).body['waiting']).toEqual({ onWork: 1, onPerson: 1 });
  });
});

describe('the work of an agent', () => {
  async function workOf(agent: Caller, caller = viewer!): Promise<Record<'running' | 'next', Explained[]>> {
    const answer = await caller.get<Record<'running' | 'next', Explained[]>>(`/api/agents/${agent.id}/work`);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  }
  const keysOf = (issues: Explained[]) => issues.map(({ key }) => key);

  it('is what runs, then the rest in the order in which the agent gets it, each with its reason', async () => {
    const agent = await asAgent(service);
    await service.owner.put(`/api/agents/${agent.id}`, { maxConcurrentIssues: 1 });
    const mine = { assignedAgentId: agent.id };
    const runs = await anIssue(editor!, project, mine);
    await expectSuccess(agent.post('/api/agents/me/heartbeat', {}));
    const paused = await anIssueIn(editor!, project, 'paused', mine);
    const blocked = await anIssue(editor!, project, {
      ...mine,
      priority: 'urgent',
      blockedByIssueId: paused.id,
    });
    const [low, high] = [
      await anIssue(editor!, project, { ...mine, priority: 'low' }),
      await anIssue(editor!, project, { ...mine, priority: 'high' }),
    ];
    const waitsForLease = await anIssueIn(editor!, project, 'InProgress', mine);
    const { running, next } = await workOf(agent);
    expect(keysOf(running)).toEqual([runs.key]);
    expect(running[0]!.why.reason).toBe('running');
    expect(keysOf(next)).toEqual([waitsForLease, high, low, paused, blocked].map(({ key }) => key));
    expect(next.map(({ why }) => why.reason)).toEqual([
      'agent_full',
      'agent_full',
      'agent_full',
      'paused',
      'waiting',
    ]);
  });

  it('hands the issues out in this order', async () => {
    const agent = await asAgent(service);
    const mine = { assignedAgentId: agent.id };
    for (const priority of ['low', 'none', 'urgent', 'none'])
      await anIssue(editor!, project, { ...mine, priority });
    const expected = keysOf((await workOf(agent)).next);
    for (const next of expected) {
      const { body } = await agent.post<{ pickedUp: { issue: Issue }[] }>('/api/agents/me/heartbeat', {
        capacity: 1,
      });
      expect(body.pickedUp.map(({ issue }) => issue.key)).toEqual([next]);
    }
    expect((await workOf(agent)).next).toEqual([]);
  });

  it('is shown as far as the caller sees the projects, to users and to the agent itself', async () => {
    const [agent, other] = [await asAgent(service), await asAgent(service)];
    const hidden = await aProject(editor!, { visibility: 'members' });
    await service.owner.put(`/api/projects/${hidden.id}/members`, {
      entries: [{ agentId: agent.id, role: 'Viewer' }],
    });
    const [open, closed] = [
      await anIssue(editor!, project, { assignedAgentId: agent.id }),
      await anIssue(editor!, hidden, { assignedAgentId: agent.id }),
    ];
    expect(keysOf((await workOf(agent)).next)).toEqual([open.key]);
    expect(keysOf((await workOf(agent, editor!)).next)).toEqual([open.key, closed.key]);
    expect(keysOf((await workOf(agent, agent)).next)).toEqual([open.key, closed.key]);
    await expectSuccess(agent.post('/api/agents/me/heartbeat', {}));
    expect(keysOf((await workOf(agent)).running)).toEqual([open.key]);
    expect((await other.get(`/api/agents/${agent.id}/work`)).status).toBe(403);
    expect((await agent.get('/api/agents/me/work?limit=1')).body['running']).toHaveLength(1);
    expect((await act(editor!, open, 'pause')).status).toBe(204);
  });
});
