import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ExplainResponse } from '../../../../src/work/issue-reading/issue-reading.dto.js';
import { anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAdmin, asAgent, asEditor, asViewer } from '../../../support/callers.js';
import {
  aCodeHook,
  aPullRequest,
  aStatus,
  type CodeHook,
  deliver,
  someSha,
} from '../../../support/code-deliveries.js';
import { useService } from '../../../support/service.js';
import type { Loose } from '../../../support/wire.js';
import { pickUp, putHeld, sendHeartbeat } from '../../gateway/heartbeat-requests.js';
import { modern } from '../../gateway/wire-call.js';
import {
  answer,
  aQuestion,
  gatesOf,
  makeDue,
  readGate,
  readIssue,
  withdraw,
} from '../gates/gate-requests.js';
import { expectInvariants } from '../issues/invariants.js';
import { expectInvalidPaths, expectRefused } from '../issues/issue-requests.js';
import { until } from '../../../support/until.js';
import { awaitChecks, codeOf, linkCode, listCode, pullUrl } from './code-requests.js';

const service = useService();
let admin: Caller;
let editor: Caller;
let viewer: Caller;
let project: Project;
let hook: CodeHook;
beforeAll(async () => {
  [admin, editor, viewer] = await Promise.all([asAdmin(service), asEditor(service), asViewer(service)]);
  project = await aProject(editor);
  hook = await aCodeHook(admin, project);
});

let pulls = 0;
/** A pull request of an issue, as its code host reports it. */
function pullOf(issue: Issue) {
  const number = (pulls += 1);
  let sha = someSha();
  const report = (fields: Parameters<typeof aPullRequest>[0] = {}) => {
    sha = fields.sha ?? sha;
    const pull = { number, sha, branch: issue.key, ...fields };
    return deliver(service, hook, 'pull_request', aPullRequest(pull));
  };
  const check = (state: 'pending' | 'success' | 'failure', name = 'ci') =>
    deliver(service, hook, 'status', aStatus(sha, state, name));
  return { url: pullUrl(number), report, check };
}

const gateAndStatus = async (gate: { id: string }, issue: Issue) => {
  const { state, outcome } = await readGate(viewer, gate);
  return [state, outcome, (await readIssue(viewer, issue)).status];
};
const WAITS = ['open', null, 'WaitingOnDependency'];
const PASSED = ['answered', 'passed', 'Open'];
const FAILED = ['answered', 'failed', 'Open'];

describe('a gate of kind checks', () => {
  it('makes the issue wait until the checks of its open pull requests pass', async () => {
    const issue = await anIssue(editor, project);
    const gate = await awaitChecks(editor, issue);
    expect(gate).toMatchObject({
      kind: 'checks',
      state: 'open',
      title: 'The checks of its pull requests pass',
      request: { codeId: null, until: 'passing' },
      outcome: null,
      blocks: { issues: 1 },
    });
    const pull = pullOf(issue);
    await pull.report();
    await pull.check('pending', 'build');
    await pull.check('success', 'lint');
    expect(await gateAndStatus(gate, issue)).toEqual(WAITS);
    await pull.check('success', 'build');
    expect(await gateAndStatus(gate, issue)).toEqual(PASSED);
    expect(await readGate(viewer, gate)).toMatchObject({
      answer: { passed: true, reason: 'checks_passed' },
      answeredBy: { type: 'system' },
    });
    const { body } = await viewer.get<Loose[]>(
      `/api/projects/issues/${issue.id}/activity?type=gate.answered`,
    );
    expect(body).toMatchObject([{ data: { kind: 'checks', passed: true, reason: 'checks_passed' } }]);
  });

  it('waits for all open pull requests, and ends as soon as one fails', async () => {
    const [one, other] = [await anIssue(editor, project), await anIssue(editor, project)];
    const gates = [await awaitChecks(editor, one), await awaitChecks(editor, other)];
    const [good, late] = [pullOf(one), pullOf(one)];
    for (const pull of [good, late]) await pull.report();
    await good.check('success');
    expect(await gateAndStatus(gates[0]!, one)).toEqual(WAITS);
    await late.check('success');
    expect(await gateAndStatus(gates[0]!, one)).toEqual(PASSED);
    const [slow, bad] = [pullOf(other), pullOf(other)];
    for (const pull of [slow, bad]) await pull.report();
    await bad.check('failure');
    expect(await gateAndStatus(gates[1]!, other)).toEqual(FAILED);
  });

  it('waits for a merge with until, and ends when a pull request is closed without one', async () => {
    const [one, other] = [await anIssue(editor, project), await anIssue(editor, project)];
    const gates = [await awaitChecks(editor, one, { until: 'merged' }), await awaitChecks(editor, other)];
    const pull = pullOf(one);
    await pull.report();
    await pull.check('success');
    expect(await gateAndStatus(gates[0]!, one)).toEqual(WAITS);
    await pull.report({ state: 'closed', merged: true });
    expect(await gateAndStatus(gates[0]!, one)).toEqual(PASSED);
    const dropped = pullOf(other);
    await dropped.report();
    await dropped.report({ state: 'closed' });
    expect(await gateAndStatus(gates[1]!, other)).toEqual(FAILED);
    expect((await readGate(viewer, gates[1]!)).answer).toEqual({ passed: false, reason: 'closed' });
  });

  it('hands the outcome to the agent with the issue', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    const held = await pickUp(agent, issue);
    const pull = pullOf(issue);
    const { id: codeId } = await linkCode(agent, issue, pull.url);
    const opened = await agent.post<Loose>(
      gatesOf(issue),
      { kind: 'checks', codeId },
      { headers: { 'lease-token': String(held.token) } },
    );
    expect(opened).toMatchObject({ status: 201, body: { state: 'open', agent: { id: agent.id } } });
    expect((await sendHeartbeat(agent, { leases: [held] })).stop).toMatchObject([{ reason: 'waiting' }]);
    await pull.report();
    await pull.check('failure');
    const { pickedUp } = await sendHeartbeat(agent);
    expect(pickedUp[0]).toMatchObject({
      issue: { id: issue.id },
      answers: [
        {
          gateId: opened.body['id'],
          kind: 'checks',
          state: 'answered',
          question: null,
          decision: null,
          outcome: 'failed',
          result: { reason: 'checks_failed', code: [{ url: pull.url, checks: 'failing' }] },
        },
      ],
    });
    const next = { issueId: issue.id, token: pickedUp[0]!.lease.token };
    expect((await sendHeartbeat(agent, { leases: [next] })).active[0]!.answers).toHaveLength(1);
    expect((await sendHeartbeat(agent, { leases: [next] })).active[0]!.answers).toEqual([]);
    await putHeld(agent, next, { status: 'Resolved' });
  });

  it('is answered at once where the checks have ended, and the lease goes on', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    const pull = pullOf(issue);
    await pull.report();
    await pull.check('success');
    const held = await pickUp(agent, issue);
    const gate = await awaitChecks(agent, issue);
    expect(gate).toMatchObject({ state: 'answered', outcome: 'passed', answer: { passed: true } });
    const beat = await sendHeartbeat(agent, { leases: [held] });
    expect(beat).toMatchObject({ active: [{ issueId: issue.id, answers: [] }], stop: [] });
    expect((await readIssue(viewer, issue)).status).toBe('InProgress');
    await putHeld(agent, held, { status: 'Resolved' });
  });

  it('takes no text of an outsider for the checks of the issue', async () => {
    const issue = await anIssue(editor, project);
    const gate = await awaitChecks(editor, issue);
    const pull = pullOf(issue);
    await pull.report({ fork: true, title: `${issue.key} is mine`, body: issue.key });
    expect(await listCode(viewer, issue)).toMatchObject([{ counts: false }]);
    await pull.check('failure');
    expect(await gateAndStatus(gate, issue)).toEqual(WAITS);
    await pull.check('success');
    expect(await gateAndStatus(gate, issue)).toEqual(WAITS);
    await linkCode(editor, issue, pull.url);
    expect(await gateAndStatus(gate, issue)).toEqual(PASSED);
  });

  it('ends with the link that it waits for, and goes on without another one', async () => {
    const [one, other] = [await anIssue(editor, project), await anIssue(editor, project)];
    const link = await linkCode(editor, one, pullOf(one).url);
    const gate = await awaitChecks(editor, one, { codeId: link.id });
    await editor.delete(`/api/projects/code/${link.id}`);
    expect(await gateAndStatus(gate, one)).toEqual(['withdrawn', null, 'Open']);
    const [good, stuck] = [pullOf(other), pullOf(other)];
    for (const pull of [good, stuck]) await pull.report();
    const open = await awaitChecks(editor, other);
    await good.check('success');
    const rest = (await listCode(viewer, other)).find(({ url }) => url === stuck.url)!;
    await editor.delete(`/api/projects/code/${rest.id}`);
    expect(await gateAndStatus(open, other)).toEqual(PASSED);
  });

  it('is one for the same issue, code and end, can be withdrawn, and expires', async () => {
    const issue = await anIssue(editor, project);
    const gate = await awaitChecks(editor, issue);
    expect(await awaitChecks(editor, issue)).toMatchObject({ id: gate.id });
    await expectInvalidPaths(answer(editor, gate, { decision: 'approve' }), '', 'decision');
    await expectInvalidPaths(answer(editor, gate, {}), '');
    expect((await withdraw(editor, gate)).status).toBe(200);
    expect((await readIssue(viewer, issue)).status).toBe('Open');
    const due = await awaitChecks(editor, issue);
    expect(due.id).not.toBe(gate.id);
    await makeDue(service, due);
    await until(async () => (await readGate(viewer, due)).state === 'expired');
    expect((await readIssue(viewer, issue)).status).toBe('Open');
    await expectInvariants(service);
  });

  it('needs no person: it is no item of attention, and no question of its agent', async () => {
    const agent = await asAgent(service);
    const issues = [];
    for (let count = 0; count < 21; count += 1)
      issues.push(await anIssue(editor, project, { assignedAgentId: agent.id }));
    for (const issue of issues) await awaitChecks(agent, issue);
    const [issue] = issues;
    const { body } = await editor.get<Loose>(`/api/attention?agentId=${agent.id}&tab=decide`);
    expect(body['items']).toEqual([]);
    const explained = (await viewer.get<ExplainResponse>(`/api/projects/issues/${issue!.id}/explain`)).body;
    expect(explained).toMatchObject({
      reason: 'waiting',
      needsRole: null,
      gates: [{ kind: 'checks' }],
      next: 'It waits until the checks of its pull requests pass. Then it becomes Open automatically.',
    });
    await aQuestion(agent, issue!);
  });

  it('is opened over MCP with the address of the pull request', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    const pull = pullOf(issue);
    const call = async (args: object) => {
      const given = { name: 'platform__wait_for_checks', arguments: args };
      const { message } = await modern(agent, 'tools/call', given);
      return message['result'] as unknown as { isError: boolean; structuredContent: Loose };
    };
    expect((await call({ url: pull.url })).structuredContent).toMatchObject({ code: 'validation_failed' });
    await pickUp(agent, issue);
    expect((await call({ url: 'x' })).structuredContent).toMatchObject({ code: 'validation_failed' });
    const { structuredContent: opened } = await call({ url: pull.url, until: null });
    expect(opened).toEqual({ gateId: expect.any(String), state: 'open', outcome: null, result: null });
    expect(await gateAndStatus({ id: String(opened['gateId']) }, issue)).toEqual(WAITS);
    await pull.report({ branch: 'other' });
    await pull.check('success');
    await pickUp(agent, issue);
    expect((await call({})).structuredContent).toMatchObject({
      state: 'answered',
      outcome: 'passed',
      result: { reason: 'checks_passed', code: [{ url: pull.url }] },
    });
  });

  it('refuses what does not fit it', async () => {
    const agent = await asAgent(service);
    const [issue, other] = [await anIssue(editor, project), await anIssue(editor, project)];
    const post = (body: object, caller = editor) => caller.post(gatesOf(issue), body);
    await expectInvalidPaths(post({ kind: 'checks', question: 'x?', options: ['a'] }), 'options', 'question');
    await expectInvalidPaths(post({ question: 'x?', until: 'merged' }), 'until');
    await expectInvalidPaths(post({ kind: 'question' }), 'question');
    await expectInvalidPaths(post({}), 'question');
    await expectInvalidPaths(post({ kind: 'approval', question: 'x?' }), 'kind');
    const foreign = await linkCode(editor, other, pullOf(other).url);
    await expectInvalidPaths(post({ kind: 'checks', codeId: foreign.id }), 'codeId');
    const branch = await linkCode(editor, issue, 'https://github.com/Codertocat/Hello-World/tree/x');
    await expectInvalidPaths(post({ kind: 'checks', codeId: branch.id, until: 'merged' }), 'until');
    await expectRefused(post({ kind: 'checks' }, agent), 403, 'not_yours');
    await expectRefused(post({ kind: 'checks' }, viewer), 403, 'forbidden');
    await editor.put(`/api/projects/issues/${issue.id}`, { status: 'Resolved' });
    await expectRefused(post({ kind: 'checks' }), 409, 'invalid_transition');
    expect((await editor.post(codeOf(issue), { url: pullOf(issue).url })).status).toBe(201);
  });
});
