import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ActivityResponse,
  ExplainResponse,
} from '../../../../src/work/issue-reading/issue-reading.dto.js';
import { aLink, anAgent, anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import { Caller } from '../../../support/caller.js';
import { asAdmin, asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import type { OpenApiDocument } from '../../../support/openapi-paths.js';
import type { Refusal, Wire } from '../../../support/wire.js';
import { pickUp, sendHeartbeat, takeTurn } from '../../gateway/heartbeat-requests.js';
import { expectInvariants } from '../issues/invariants.js';
import {
  answer,
  aQuestion,
  type Gate,
  gatePath,
  gatesOf,
  makeDue,
  readGate,
  readIssue,
  withdraw,
} from './gate-requests.js';

const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';
const service = useService();
let editor: Caller;
let viewer: Caller;
let admin: Caller;
let agent: Caller;
let project: Project;
beforeAll(async () => {
  [editor, viewer, admin, agent] = await Promise.all([
    asEditor(service),
    asViewer(service),
    asAdmin(service),
    asAgent(service),
  ]);
  project = await aProject(editor);
});

/** An issue of the agent that nothing else waits for. */
const workFor = (caller: Caller, fields: object = {}) =>
  anIssue(editor, project, { assignedAgentId: caller.id, ...fields });

describe('the examples of an answer in the OpenAPI document', () => {
  const page = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8'),
  ) as OpenApiDocument;
  const bodyOf = (path: string) =>
    page.paths[path]!.post!.requestBody!.content['application/json'] as {
      examples?: Record<string, { value: object }>;
    };
  const answers = bodyOf('/api/projects/gates/{gateId}/answer').examples!;

  it('are one for each kind of gate, and the first one answers the example of a question', async () => {
    expect(Object.keys(answers)).toEqual(['question', 'form', 'approval', 'budget']);
    const asked = bodyOf('/api/projects/issues/{issueId}/gates').examples!['question']!.value;
    const gate = await aQuestion(editor, await anIssue(editor, project), asked);
    expect(await answer(editor, gate, answers['question']!.value)).toMatchObject({
      status: 200,
      body: { state: 'answered', answer: { option: 'Tomorrow' } },
    });
  });

  it.each(['form', 'approval', 'budget'])('have only members that a gate takes: %s', async (kind) => {
    const gate = await aQuestion(editor, await anIssue(editor, project));
    const refusal = (await answer(editor, gate, answers[kind]!.value)) as unknown as { body: Refusal };
    const messages = refusal.body.errors!.map(({ message }) => message);
    // Each member is known; a question of this kind does not take it, or has no schema.
    for (const message of messages)
      expect(message).toMatch(/does not belong|is missing|only for a question with/);
  });
});

describe('a question about an issue', () => {
  it('makes the issue wait, and its answer opens it, each in the same transaction', async () => {
    const issue = await anIssue(editor, project);
    const gate = await aQuestion(editor, issue, { options: ['Now', 'Later'], recommended: 'Later' });
    expect(gate).toMatchObject({
      kind: 'question',
      state: 'open',
      project: { id: project.id, key: project.key },
      issue: { id: issue.id, key: issue.key, title: issue.title },
      agent: null,
      title: 'May I publish it?',
      detail: null,
      options: ['Now', 'Later'],
      recommended: 'Later',
      request: { question: 'May I publish it?' },
      answer: null,
      answeredBy: null,
      answeredAt: null,
      blocks: { issues: 1, agents: 0 },
    });
    expect((await readIssue(viewer, issue)).status).toBe('WaitingOnDependency');
    const { status, body } = await answer(editor, gate, { option: 'Now', text: 'But ask Ada first.' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'answered',
      answer: { option: 'Now', text: 'But ask Ada first.', fields: null },
      answeredBy: { type: 'user', id: editor.id },
      answeredAt: expect.any(String),
      blocks: { issues: 0, agents: 0 },
    });
    expect((await readIssue(viewer, issue)).status).toBe('Open');
  });

  it('keeps an issue waiting until its last gate and its last blocker are gone', async () => {
    const [issue, blocker] = [await anIssue(editor, project), await anIssue(editor, project)];
    await aLink(editor, blocker, issue);
    const [first, second] = [await aQuestion(editor, issue), await aQuestion(editor, issue)];
    await answer(editor, first);
    await editor.put(`/api/projects/issues/${blocker.id}`, { status: 'Resolved' });
    expect((await readIssue(viewer, issue)).status).toBe('WaitingOnDependency');
    await withdraw(editor, second);
    expect((await readIssue(viewer, issue)).status).toBe('Open');
  });

  it('is refused on an issue that is resolved or closed', async () => {
    const issue = await anIssue(editor, project);
    for (const status of ['Resolved', 'Closed']) {
      await editor.put(`/api/projects/issues/${issue.id}`, { status });
      const refused = await editor.post(gatesOf(issue), { question: 'x?' });
      expect([refused.status, refused.body['code']]).toEqual([409, 'invalid_transition']);
    }
  });

  it('comes back paused where the issue was paused', async () => {
    const [own, issue] = await pausedWork();
    const gate = await aQuestion(editor, issue);
    await answer(editor, gate);
    expect(await readIssue(viewer, issue)).toMatchObject({ status: 'Open', paused: true });
    expect((await sendHeartbeat(own)).pickedUp).toEqual([]);
  });

  it.each([
    [{ question: '' }, 'question'],
    [{ question: 'x', options: ['a', 'a'] }, 'options'],
    [{ question: 'x', options: Array.from({ length: 11 }, (_, at) => `${at}`) }, 'options'],
    [{ question: 'x', options: ['a'], recommended: 'b' }, 'recommended'],
    [{ question: 'x', recommended: 'b' }, 'recommended'],
    [{ question: 'x', expiresInSeconds: 9 }, 'expiresInSeconds'],
  ])('is rejected as %j on the path %s', async (body, path) => {
    const issue = await anIssue(editor, project);
    const refused = await editor.unchecked().post(gatesOf(issue), body);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`"path":"${path}`);
    expect((await readIssue(viewer, issue)).status).toBe('Open');
  });

  async function pausedWork(): Promise<[Caller, Issue]> {
    const own = await asAgent(service);
    const issue = await workFor(own);
    await pickUp(own, issue);
    await editor.post(`/api/projects/issues/${issue.id}/pause`);
    return [own, issue];
  }
});

describe('an answer', () => {
  it('is refused with who and when once another one has been given', async () => {
    const gate = await aQuestion(editor, await anIssue(editor, project));
    await answer(admin, gate);
    for (const late of [await answer(editor, gate), await withdraw(editor, gate)])
      expect([late.status, late.body]).toEqual([
        409,
        expect.objectContaining({
          code: 'gate_closed',
          state: 'answered',
          by: { type: 'user', id: admin.id, name: admin.name },
          at: expect.any(String),
        }),
      ]);
  });

  it.each([
    [{}, 'text'],
    [{ option: 'Never' }, 'option'],
    [{ text: '' }, 'text'],
    [{ decision: 'approve' }, 'decision'],
    [{ text: 'x', note: 'y' }, 'note'],
    [{ fields: { a: 1 } }, 'fields'],
  ])('of %j is rejected on the path %s, and leaves the gate open', async (body, path) => {
    const gate = await aQuestion(editor, await anIssue(editor, project), { options: ['Now'] });
    const refused = await editor.unchecked().post(`${gatePath(gate)}/answer`, body);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`"path":"${path}"`);
    expect((await readGate(viewer, gate)).state).toBe('open');
  });

  it('is validated against the schema of the question', async () => {
    const gate = await aQuestion(editor, await anIssue(editor, project));
    const schema = {
      type: 'object',
      properties: { port: { type: 'integer', minimum: 1 } },
      required: ['port'],
    };
    await withSchema(gate, schema);
    for (const [fields, path] of [
      [{}, 'fields.port'],
      [{ port: 0 }, 'fields.port'],
      [undefined, 'fields'],
    ] as const) {
      const refused = await answer(editor, gate, fields ? { fields } : { text: 'x' });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`"path":"${path}"`)]);
    }
    expect((await answer(editor, gate, { fields: { port: 8080 } })).body.answer).toMatchObject({
      fields: { port: 8080 },
    });
  });

  it('is taken unchecked where the schema does not compile, as that of an earlier release', async () => {
    const gate = await aQuestion(editor, await anIssue(editor, project));
    await withSchema(gate, { type: 'object', properties: { a: { $ref: '#/nowhere' } } });
    expect((await answer(editor, gate, { fields: { a: 1 } })).body.answer).toMatchObject({
      fields: { a: 1 },
    });
  });
});

/** Gives a question the schema that a server would have given it. */
async function withSchema({ id }: { id: string }, schema: object): Promise<void> {
  await service.sql(
    `UPDATE gates SET request = (request::jsonb || jsonb_build_object('schema', $2::jsonb))::json WHERE id = $1`,
    [id, JSON.stringify(schema)],
  );
}

describe('a worker', () => {
  it('learns that it must stop, and gets the issue back with the answer until it has carried it once', async () => {
    const own = await asAgent(service);
    const issue = await workFor(own);
    const lease = await pickUp(own, issue);
    const gate = await aQuestion(own, issue);
    expect(gate.agent).toEqual({ id: own.id, name: own.name });
    expect(gate.blocks).toEqual({ issues: 1, agents: 1 });
    expect((await takeTurn(own, lease)).reason).toBe('waiting');
    expect(await sendHeartbeat(own, { leases: [lease] })).toMatchObject({
      pickedUp: [],
      stop: [{ issueId: issue.id, reason: 'waiting' }],
    });
    await answer(editor, gate, { text: 'Go on.' });
    const [picked] = (await sendHeartbeat(own)).pickedUp;
    const carried = { gateId: gate.id, kind: 'question', question: 'May I publish it?', text: 'Go on.' };
    expect(picked?.answers).toMatchObject([carried]);
    const held = { issueId: issue.id, token: picked!.lease.token };
    expect((await sendHeartbeat(own, { leases: [held] })).active[0]?.answers).toMatchObject([carried]);
    expect((await sendHeartbeat(own, { leases: [held] })).active[0]?.answers).toEqual([]);
    expect((await takeTurn(own, held)).answers).toEqual([]);
  });

  it('with a name gets the answer again after a lost response, and no more after a turn', async () => {
    const own = await asAgent(service);
    const issue = await workFor(own);
    const gate = await aQuestion(editor, issue);
    await answer(editor, gate);
    for (let lost = 0; lost < 2; lost += 1) {
      const { work } = await sendHeartbeat(own, { worker: 'one', leases: [] });
      expect(work).toMatchObject([{ state: 'start', answers: [{ gateId: gate.id }] }]);
    }
    const { work } = await sendHeartbeat(own, { worker: 'one' });
    const token = work![0]!.token;
    expect((await takeTurn(own, { issueId: issue.id, token })).answers).toMatchObject([{ gateId: gate.id }]);
    expect((await takeTurn(own, { issueId: issue.id, token })).answers).toEqual([]);
    expect((await sendHeartbeat(own, { worker: 'one' })).work).toMatchObject([{ answers: [] }]);
  });

  it('asks only about its own issues, and with the newest token where it names one', async () => {
    const [own, other] = [await asAgent(service), await anAgent(service.owner)];
    const foreign = await anIssue(editor, project, { assignedAgentId: other.id });
    expect((await own.post(gatesOf(foreign), { question: 'x?' })).body).toMatchObject({ code: 'not_yours' });
    const issue = await workFor(own);
    const { token } = await pickUp(own, issue);
    const headers = (value: number) => ({ headers: { 'lease-token': String(value) } });
    const late = await own.post(gatesOf(issue), { question: 'x?' }, headers(token - 1));
    expect([late.status, late.body['code']]).toEqual([409, 'lease_lost']);
    expect((await own.post(gatesOf(issue), { question: 'x?' }, headers(token))).status).toBe(201);
  });

  it('has at most 20 open questions', async () => {
    const own = await asAgent(service);
    const issue = await workFor(own);
    const asked = await Promise.all(
      Array.from({ length: 24 }, () => own.post<Gate>(gatesOf(issue), { question: 'x?' })),
    );
    const refused = asked.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, (body as unknown as { code: string }).code])).toEqual(
      Array.from({ length: 4 }, () => [429, 'gate_limit']),
    );
    const [first] = asked.filter(({ status }) => status === 201);
    expect((await withdraw(own, first!.body)).status).toBe(200);
    await aQuestion(own, issue);
  });

  it('cannot answer, and withdraws only what it asked itself', async () => {
    const gate = await aQuestion(editor, await workFor(agent));
    expect((await answer(agent, gate)).status).toBe(403);
    expect((await withdraw(agent, gate)).status).toBe(403);
  });
});

describe('a gate ends', () => {
  it.each([
    ['resolved', (issue: Issue) => editor.put(`/api/projects/issues/${issue.id}`, { status: 'Resolved' })],
    ['closed', (issue: Issue) => editor.post(`/api/projects/issues/${issue.id}/close`)],
  ])('as withdrawn when its issue is %s, and does not come back with it', async (_, end) => {
    const issue = await anIssue(editor, project);
    const gate = await aQuestion(editor, issue);
    expect((await end(issue)).status).toBeLessThan(300);
    expect((await readGate(viewer, gate)).state).toBe('withdrawn');
    await editor.put(`/api/projects/issues/${issue.id}`, { status: 'Open' });
    expect((await readIssue(viewer, issue)).status).toBe('Open');
    expect((await answer(editor, gate)).body).toMatchObject({ code: 'gate_closed', state: 'withdrawn' });
  });

  it('with its issue when that is deleted, and the journal says so', async () => {
    const issue = await anIssue(editor, project);
    const gate = await aQuestion(editor, issue);
    await editor.delete(`/api/projects/issues/${issue.id}?confirm=true`);
    expect((await viewer.get(gatePath(gate))).status).toBe(404);
    const rows = await service.sql(`SELECT type FROM journal WHERE subject_id = $1 ORDER BY position`, [
      gate.id,
    ]);
    expect(rows).toEqual([{ type: 'gate.opened' }, { type: 'gate.withdrawn' }]);
  });

  it('when it expires, which opens its issue and reaches the worker without an answer', async () => {
    const own = await asAgent(service);
    const issue = await workFor(own);
    const gate = await aQuestion(editor, issue, { expiresInSeconds: 10 });
    expect(new Date(gate.expiresAt!).getTime() - new Date(gate.openedAt).getTime()).toBe(10_000);
    await makeDue(service, gate);
    await until(async () => (await readGate(viewer, gate)).state === 'expired');
    expect((await readIssue(viewer, issue)).status).toBe('Open');
    expect((await sendHeartbeat(own)).pickedUp[0]?.answers).toMatchObject([
      { gateId: gate.id, state: 'expired', option: null, text: null, fields: null },
    ]);
    expect((await answer(editor, gate)).body).toMatchObject({ code: 'gate_closed', state: 'expired' });
  });
});

describe('what is read of a gate', () => {
  it('is filtered, and paged oldest first', async () => {
    const issue = await anIssue(editor, project);
    const gates = [
      await aQuestion(editor, issue),
      await aQuestion(editor, issue),
      await aQuestion(editor, issue),
    ];
    await answer(editor, gates[1]!);
    const ids = async (query: string) =>
      (await viewer.get<Gate[]>(`/api/projects/gates?issueId=${issue.key}&${query}`)).body.map(
        ({ id }) => id,
      );
    expect(await ids('')).toEqual(gates.map(({ id }) => id));
    expect(await ids('state=open')).toEqual([gates[0]!.id, gates[2]!.id]);
    expect(await ids(`state=answered&projectId=${project.key}&kind=question`)).toEqual([gates[1]!.id]);
    expect(await ids('kind=budget')).toEqual([]);
    expect(await ids(`agentId=${UNKNOWN}`)).toEqual([]);
    const first = await viewer.get<Gate[]>(`/api/projects/gates?issueId=${issue.id}&limit=2`);
    const [, next] = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))!;
    const rest = await viewer.get<Gate[]>(next!.replace(/^https?:\/\/[^/]+/, ''));
    expect(rest.body.map(({ id }) => id)).toEqual([gates[2]!.id]);
  });

  it('counts all that wait for it through others', async () => {
    const own = await asAgent(service);
    const busy = await asAgent(service);
    await workFor(busy);
    const issue = await workFor(own);
    const next = await workFor(busy);
    const last = await anIssue(editor, project);
    await aLink(editor, issue, next);
    await aLink(editor, next, last);
    const gate = await aQuestion(editor, issue);
    expect(gate.blocks).toEqual({ issues: 3, agents: 1 });
  });

  it('does not exist for those who do not see its project', async () => {
    const hidden = await aProject(editor, { visibility: 'members' });
    const issue = await anIssue(editor, hidden);
    const gate = await aQuestion(editor, issue);
    for (const stranger of [viewer, agent]) {
      expect((await stranger.get(gatePath(gate))).status).toBe(404);
      expect(
        (await stranger.get<Gate[]>('/api/projects/gates?state=open')).body.map(({ id }) => id),
      ).not.toContain(gate.id);
      expect((await stranger.get(`/api/projects/gates?issueId=${issue.id}`)).status).toBe(400);
    }
    const other = await asEditor(service);
    expect((await answer(other, gate)).status).toBe(404);
    expect((await withdraw(other, gate)).status).toBe(404);
  });

  it('stands in the explanation and in the timeline', async () => {
    const [issue, waiting] = [await anIssue(editor, project), await anIssue(editor, project)];
    const gate = await aQuestion(editor, issue);
    await aLink(editor, issue, waiting);
    const explain = async ({ id }: { id: string }) =>
      (await viewer.get<Wire<ExplainResponse>>(`/api/projects/issues/${id}/explain`)).body;
    expect(await explain(issue)).toMatchObject({
      reason: 'waiting',
      gates: [{ id: gate.id, kind: 'question', title: gate.title }],
      next: expect.stringContaining(gate.title),
    });
    expect(await explain(waiting)).toMatchObject({
      blockedBy: [{ id: issue.id }],
      rootBlockers: [{ id: issue.id }],
    });
    await answer(editor, gate);
    const rows = await viewer.get<Wire<ActivityResponse>[]>(`/api/projects/issues/${issue.id}/activity`);
    const gateEntries = rows.body.filter(({ type }) => type.startsWith('gate.'));
    expect(gateEntries).toMatchObject([
      { type: 'gate.opened', data: { gateId: gate.id, kind: 'question', title: gate.title } },
      { type: 'gate.answered', actor: { id: editor.id }, data: { gateId: gate.id } },
    ]);
    expect(
      rows.body.filter(({ type }) => type === 'issue.status_changed').map(({ data }) => data),
    ).toMatchObject([
      { old: 'Open', new: 'WaitingOnDependency', cause: 'gate_opened', gateId: gate.id },
      { old: 'WaitingOnDependency', new: 'Open', cause: 'gate_answered', gateId: gate.id },
    ]);
  });

  it('is in the metrics by kind and age', async () => {
    const { text } = await service.owner.unchecked().get('/metrics');
    expect(text).toMatch(/awp_gates_open\{kind="question",age="under_1h"\} \d+/);
    expect(text).toMatch(/awp_gate_answer_minutes_count\{kind="question"\} [1-9]/);
  });
});

it('no issue is held up or let go against the rules', async () => {
  await expectInvariants(service);
});
