import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ExplainResponse } from '../../../src/work/issue-reading/issue-reading.dto.js';
import { aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asAgent, asEditor, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';

type Explanation = Wire<ExplainResponse>;
type Identified = { id: string };
const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';

const service = useService();
let editor: Caller;
let viewer: Caller;
let project: Project;
beforeAll(async () => {
  [editor, viewer] = await Promise.all([asEditor(service), asViewer(service)]);
  project = await aProject(editor);
});

const issuePath = ({ id }: Identified) => `/api/projects/issues/${id}`;
const put = async (issue: Identified, fields: object) =>
  expect((await editor.put(issuePath(issue), fields)).status).toBe(200);
const act = async (issue: Identified, action: string) =>
  expect((await editor.post(`${issuePath(issue)}/${action}`)).status).toBe(204);
const beat = async (agent: Caller) =>
  expect((await agent.post('/api/agents/me/heartbeat', {})).status).toBe(200);
const setAgent = async (agent: Caller, fields: object) =>
  expect((await service.owner.put(`/api/agents/${agent.id}`, fields)).status).toBe(200);
const heard = (agent: Caller, ago: string) =>
  service.sql('UPDATE agents SET last_heartbeat_at = now() - $2::interval WHERE id = $1', [agent.id, ago]);
const asParty = ({ id, name }: Caller, type: 'user' | 'agent') => ({ type, id, name });

async function explain(issue: Identified, caller = viewer): Promise<Explanation> {
  const { status, body } = await caller.get<Explanation>(`${issuePath(issue)}/explain`);
  expect(status).toBe(200);
  return body;
}

async function assigned(fields: Record<string, unknown> = {}): Promise<{ agent: Caller; issue: Issue }> {
  const agent = await asAgent(service);
  return { agent, issue: await anIssue(editor, project, { assignedAgentId: agent.id, ...fields }) };
}

/** Creates an issue that is assigned and has been picked up. */
async function running(fields: Record<string, unknown> = {}): Promise<{ agent: Caller; issue: Issue }> {
  const made = await assigned(fields);
  await beat(made.agent);
  return made;
}

describe('an issue that is being worked on', () => {
  it('is running and waits for its agent', async () => {
    const { agent, issue } = await running();
    const explained = await explain(issue);
    expect(explained).toMatchObject({
      running: true,
      reason: 'running',
      blockedBy: [],
      rootBlockers: [],
      waitsFor: asParty(agent, 'agent'),
    });
    expect(explained.next).toContain(agent.name);
  });

  it('is running until its agent’s next turn, even when the agent is disabled meanwhile', async () => {
    const { agent, issue } = await running();
    await setAgent(agent, { disabled: true });
    const explained = await explain(issue);
    expect(explained).toMatchObject({ running: true, reason: 'running' });
    expect(explained.next).toContain('disabled');
  });
});

describe('the explanation of an issue without work on it says', () => {
  it('that it is closed', async () => {
    const issue = await anIssue(editor, project);
    await act(issue, 'close');
    expect(await explain(issue)).toMatchObject({ running: false, reason: 'closed', waitsFor: null });
  });

  it('that it is resolved', async () => {
    const { issue } = await running();
    await put(issue, { status: 'Resolved' });
    expect(await explain(issue)).toMatchObject({ running: false, reason: 'resolved', waitsFor: null });
  });

  it('that it is unassigned, so anyone may take it', async () => {
    expect(await explain(await anIssue(editor, project))).toMatchObject({
      reason: 'unassigned',
      waitsFor: null,
    });
  });

  it('that it is assigned to a person alone and waits for that person', async () => {
    const issue = await anIssue(editor, project, { assigneeUserId: editor.id });
    const explained = await explain(issue);
    expect(explained).toMatchObject({ reason: 'assigned_to_user', waitsFor: asParty(editor, 'user') });
    expect(explained.next).toContain(editor.name);
  });

  it('that it is paused and waits for the responsible person', async () => {
    const { agent, issue } = await running({ assigneeUserId: editor.id });
    await act(issue, 'pause');
    const explained = await explain(issue);
    expect(explained).toMatchObject({ running: false, reason: 'paused', waitsFor: asParty(editor, 'user') });
    expect(explained.next).toContain(agent.name);
  });

  it('that it is in review and waits for the responsible person, or for any person', async () => {
    const [{ issue: own }, { issue }] = [await running({ assigneeUserId: editor.id }), await running()];
    for (const each of [own, issue]) await put(each, { status: 'PendingReview' });
    expect(await explain(own)).toMatchObject({ reason: 'in_review', waitsFor: asParty(editor, 'user') });
    const explained = await explain(issue);
    expect(explained).toMatchObject({ reason: 'in_review', waitsFor: null });
    expect(explained.next).toMatch(/^A person has to look/);
  });

  it('that it is in review after failed attempts, and how many', async () => {
    const { issue } = await running();
    await put(issue, { status: 'PendingReview' });
    await service.sql('UPDATE issues SET attempts = 5 WHERE id = $1', [issue.id]);
    expect((await explain(issue)).next).toContain('nothing 5 time');
  });

  it('that its agent has never sent a heartbeat', async () => {
    const { agent, issue } = await assigned();
    const explained = await explain(issue);
    expect(explained).toMatchObject({
      running: false,
      reason: 'agent_never_seen',
      waitsFor: asParty(agent, 'agent'),
    });
    expect(explained.next).toContain('never');
  });

  it('that its agent has sent no heartbeat for longer than a lease lasts', async () => {
    const { agent, issue } = await assigned();
    await heard(agent, '1 hour');
    expect(await explain(issue)).toMatchObject({ reason: 'agent_silent', waitsFor: asParty(agent, 'agent') });
  });

  it('that a worker of its agent takes no more work, and why', async () => {
    const { agent, issue } = await assigned({ assigneeUserId: editor.id });
    await heard(agent, '1 second');
    await service.sql(
      `INSERT INTO agent_failures (agent_id, worker, reason, until)
       VALUES ($1, 'w1', 'git ended with code 128', now() + interval '1 minute')`,
      [agent.id],
    );
    const explained = await explain(issue);
    expect(explained).toMatchObject({ reason: 'agent_failing', waitsFor: asParty(editor, 'user') });
    expect(explained.next).toContain(
      'takes no more work. Its worker reports: git ended with code 128. Correct',
    );
    await service.sql(`UPDATE agent_failures SET until = now() WHERE agent_id = $1`, [agent.id]);
    expect(await explain(issue)).toMatchObject({ reason: 'ready' });
  });

  it('that its agent is active and picks it up with its next heartbeat', async () => {
    const { agent, issue } = await assigned();
    await heard(agent, '1 second');
    expect(await explain(issue)).toMatchObject({
      running: false,
      reason: 'ready',
      waitsFor: asParty(agent, 'agent'),
    });
    await beat(agent);
    expect(await explain(issue)).toMatchObject({ running: true });
  });

  it('that it was resumed and its agent picks it up with its next heartbeat', async () => {
    const { agent, issue } = await running();
    await act(issue, 'pause');
    await act(issue, 'resume');
    expect(await explain(issue)).toMatchObject({
      running: false,
      reason: 'ready',
      waitsFor: asParty(agent, 'agent'),
    });
  });

  it('that its agent has as many issues as it may have at a time', async () => {
    const { agent } = await running();
    await setAgent(agent, { maxConcurrentIssues: 1 });
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    await beat(agent);
    expect(await explain(issue)).toMatchObject({
      running: false,
      reason: 'agent_full',
      waitsFor: asParty(agent, 'agent'),
    });
  });

  it('that its lease ran out', async () => {
    const { agent, issue } = await running();
    await service.sql(
      `UPDATE issue_leases SET expires_at = now() - interval '1 minute' WHERE issue_id = $1`,
      [issue.id],
    );
    await heard(agent, '1 hour');
    expect(await explain(issue)).toMatchObject({
      running: false,
      reason: 'lease_ran_out',
      waitsFor: asParty(agent, 'agent'),
    });
  });

  it('that its agent gave it back and does not get it again for a while', async () => {
    const { agent, issue } = await assigned();
    const { body } = await agent.post<{ pickedUp: { lease: { token: number } }[] }>(
      '/api/agents/me/heartbeat',
      {},
    );
    const headers = { 'lease-token': String(body.pickedUp[0]!.lease.token) };
    expect((await agent.put(issuePath(issue), { status: 'Open' }, { headers })).status).toBe(200);
    await beat(agent);
    const explained = await explain(issue);
    expect(explained).toMatchObject({
      running: false,
      reason: 'given_back',
      waitsFor: asParty(agent, 'agent'),
    });
    expect(explained.next).toMatch(/after \d{4}-\d\d-\d\dT/);
    await service.sql(`UPDATE issues SET given_back_until = now() WHERE id = $1`, [issue.id]);
    expect(await explain(issue)).toMatchObject({ reason: 'ready' });
  });

  it('that its agent is disabled, before it says that the agent is silent', async () => {
    const { agent, issue } = await assigned({ assigneeUserId: editor.id });
    await setAgent(agent, { disabled: true });
    expect(await explain(issue)).toMatchObject({
      running: false,
      reason: 'agent_disabled',
      waitsFor: asParty(editor, 'user'),
    });
  });

  it('that its agent was retired, so a person has to reassign it', async () => {
    const { agent, issue } = await running();
    expect((await service.owner.delete(`/api/agents/${agent.id}`)).status).toBe(204);
    const explained = await explain(issue);
    expect(explained).toMatchObject({ running: false, reason: 'agent_retired', waitsFor: null });
    expect(explained.next).toContain(agent.name);
  });

  it('that its agent is no longer a member of the project', async () => {
    const { agent, issue } = await assigned();
    const place = await aProject(service.owner, { visibility: 'members' });
    await service.sql('UPDATE issues SET project_id = $2, number = 1 WHERE id = $1', [issue.id, place.id]);
    const explained = await explain(issue, service.owner);
    expect(explained).toMatchObject({ running: false, reason: 'agent_cannot_see_project' });
    expect(explained.next).toContain(agent.name);
  });

  it('that all agents are halted, with the reason of the halt', async () => {
    const { issue } = await assigned();
    const { issue: begun } = await running();
    await service.owner.put('/api/agents/halt', { halted: true, reason: 'moving the office' });
    const [explained, explainedBegun] = [await explain(issue), await explain(begun)];
    await service.owner.put('/api/agents/halt', { halted: false });
    expect(explained).toMatchObject({ running: false, reason: 'halted', waitsFor: null });
    expect(explained.next).toContain('moving the office');
    expect(explainedBegun).toMatchObject({ running: true, next: expect.stringContaining('halted') });
  });
});

describe.each(['agent', 'project'] as const)('an issue with the budget of its %s', (scope) => {
  it('is not ready while the budget stops it, and says who can end that', async () => {
    const [place, agent] = [await aProject(service.owner), await asAgent(service)];
    const issue = await anIssue(service.owner, place, { assignedAgentId: agent.id });
    await beat(agent);
    const path = scope === 'agent' ? `/api/agents/${agent.id}/budget` : `/api/projects/${place.id}/budget`;
    expect((await service.owner.put(path, { turns: 1, period: 'day' })).status).toBe(200);
    for (const proceed of [true, false])
      expect((await agent.post('/api/agents/me/turns', { issueId: issue.id })).body).toMatchObject({
        proceed,
      });
    const { gateId } = (await service.owner.get<{ gateId: string }>(path)).body;
    const stopped = { running: false, reason: 'budget', waitsFor: null, needsRole: 'Admin', gateId };
    const explained = await explain(issue);
    expect(explained).toMatchObject(stopped);
    expect(explained.next).toMatch(
      /^The budget of .* is used up.*until the day ends \(UTC\).* has to answer its gate/,
    );
    expect(explained.next).toContain(scope === 'agent' ? agent.name : 'the project');
    const list = `/api/projects/${place.id}/issues?fields=summary,why`;
    expect((await viewer.get(list)).body).toMatchObject([
      { why: { reason: 'budget', sentence: explained.next } },
    ]);
    await service.owner.post(`/api/projects/gates/${gateId}/answer`, { decision: 'stop' });
    const later = await explain(issue);
    expect(later).toMatchObject({ needsRole: 'Admin', gateId: null });
    expect(later.next).toContain('has to raise the limit');
    await service.owner.put(path, { turns: 9, period: 'day' });
    expect((await explain(issue)).reason).not.toBe('budget');
  });
});

describe('an issue that waits for others', () => {
  it('names the least role that may act, the gate that lets the work go on, and its question as a sentence', async () => {
    const { issue } = await running();
    expect(await explain(issue)).toMatchObject({ needsRole: null, gateId: null });
    const answer = await editor.post<Identified>(`/api/projects/issues/${issue.id}/gates`, {
      question: 'Twice?',
    });
    const gate = answer.body;
    const asked = await explain(issue);
    expect(asked).toMatchObject({
      ...{ reason: 'waiting', needsRole: 'Editor', gateId: gate.id },
      gates: [{ id: gate.id, kind: 'question', title: 'Twice?', needsRole: 'Editor' }],
    });
    expect(asked.next).toContain('It waits for a person: Twice? Once a person has answered');
    await service.sql(`UPDATE gates SET answer_role = 'Admin' WHERE id = $1`, [gate.id]);
    expect(await explain(issue)).toMatchObject({ needsRole: 'Admin' });
    const behind = await anIssue(editor, project, { blockedByIssueId: issue.id });
    expect(await explain(behind)).toMatchObject({ needsRole: 'Editor', gateId: null });
  });

  it('waits for the person who reviews its root blocker, resumes it or answers for it, not for the agent', async () => {
    const agent = await asAgent(service);
    const top = async (fields: object, change: (root: Issue) => Promise<unknown>) => {
      const root = await anIssue(editor, project, { assignedAgentId: agent.id, ...fields });
      const waiting = await anIssue(editor, project, { blockedByIssueId: root.id });
      await change(root);
      const { waitsFor, next, rootBlockers } = await explain(waiting);
      expect(rootBlockers).toMatchObject([{ id: root.id, assignee: asParty(agent, 'agent') }]);
      return { waitsFor, said: next.slice(next.indexOf(root.key, next.indexOf('worked on'))) };
    };
    const review = (root: Issue) => put(root, { status: 'PendingReview' });
    const inProgress = (root: Issue) => put(root, { status: 'InProgress' });
    const person = { assigneeUserId: editor.id };
    const reviewed = (root: Issue) => inProgress(root).then(() => review(root));
    const paused = (root: Issue) => inProgress(root).then(() => act(root, 'pause'));
    const asked = async ({ id }: Issue) =>
      expect((await editor.post(`/api/projects/issues/${id}/gates`, { question: 'x?' })).status).toBe(201);
    expect(await top(person, reviewed)).toMatchObject({
      waitsFor: asParty(editor, 'user'),
      said: expect.stringContaining(`(in review by ${editor.name})`),
    });
    expect(await top({}, reviewed)).toMatchObject({
      waitsFor: null,
      said: expect.stringContaining('(in review by a person)'),
    });
    expect(await top(person, paused)).toMatchObject({
      waitsFor: asParty(editor, 'user'),
      said: expect.stringContaining('(paused'),
    });
    expect(await top(person, asked)).toMatchObject({
      waitsFor: null,
      said: expect.stringContaining('(waits for a decision)'),
    });
  });

  it('names them, oldest first, and the deepest of them that can be worked on, with their assignees', async () => {
    const agent = await asAgent(service);
    const [root, other] = [
      await anIssue(editor, project, { assignedAgentId: agent.id }),
      await anIssue(editor, project),
    ];
    const middle = await anIssue(editor, project, { blockedByIssueId: root.id });
    const top = await anIssue(editor, project);
    for (const blocker of [other, middle]) await aLink(editor, blocker, top);
    const brief = ({ id, key, title, status }: Issue) => ({ id, key, title, status });
    const explained = await explain(top);
    expect(explained).toEqual({
      gates: [],
      running: false,
      reason: 'waiting',
      blockedBy: [other, middle].map((blocker) => ({ ...brief(blocker), kind: 'blocker' })),
      rootBlockers: [
        { ...brief(root), assignee: asParty(agent, 'agent') },
        { ...brief(other), assignee: null },
      ],
      issuesBetween: 0,
      waitsFor: asParty(agent, 'agent'),
      // The other root has no assignee: a person has to act as well.
      ...{ needsRole: 'Editor', gateId: null },
      next: expect.stringContaining(`${root.key} (${agent.name}), ${other.key} (unassigned)`),
    });
  });

  it('omits finished issues and links of other types', async () => {
    const [done, open, related] = [
      await anIssue(editor, project),
      await anIssue(editor, project),
      await anIssue(editor, project),
    ];
    const top = await anIssue(editor, project);
    for (const blocker of [done, open]) await aLink(editor, blocker, top);
    await aLink(editor, related, top, 'RelatedTo');
    await put(done, { status: 'Resolved' });
    const { blockedBy, rootBlockers, waitsFor } = await explain(top);
    expect(blockedBy.map(({ id }) => id)).toEqual([open.id]);
    expect(rootBlockers.map(({ id }) => id)).toEqual([open.id]);
    expect(waitsFor).toBeNull();
  });

  it('and is paused has to be resumed afterwards', async () => {
    const { issue } = await running();
    await act(issue, 'pause');
    await aLink(editor, await anIssue(editor, project), issue);
    const explained = await explain(issue);
    expect(explained.reason).toBe('waiting');
    expect(explained.next).toContain('resumed');
  });

  it('names the end of a chain of 300, and how many lie between', async () => {
    const chain = [await anIssue(editor, project)];
    for (let length = 1; length < 300; length++)
      chain.push(await anIssue(editor, project, { blockedByIssueId: chain.at(-1)!.id }));
    const { blockedBy, rootBlockers, issuesBetween } = await explain(chain.at(-1)!);
    expect(blockedBy.map(({ id }) => id)).toEqual([chain.at(-2)!.id]);
    expect(rootBlockers.map(({ id }) => id)).toEqual([chain[0]!.id]);
    expect(issuesBetween).toBe(297);
  });
});

describe('an explanation', () => {
  it('is available to everyone who sees the issue, also by key', async () => {
    const issue = await anIssue(editor, project);
    for (const caller of [viewer, await asAgent(service)])
      expect(await explain({ id: issue.key }, caller)).toEqual(await explain(issue));
  });

  it('is refused for everyone else', async () => {
    const hidden = await anIssue(service.owner, await aProject(service.owner, { visibility: 'members' }));
    for (const id of [UNKNOWN, 'nonsense', hidden.id])
      expect((await editor.get(`${issuePath({ id })}/explain`)).status).toBe(404);
    expect((await anonymous(service).get(`${issuePath(hidden)}/explain`)).status).toBe(401);
  });
});
