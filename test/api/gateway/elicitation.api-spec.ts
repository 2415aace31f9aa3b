import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { type Service, useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { tryOut } from '../mcp/servers.js';
import { answer, readGate, readIssue, withdraw } from '../work/gates/gate-requests.js';
import { anAsker, callOf, codeOf, executedGate, openGate, setAsk, textOf } from './approval-setting.js';
import { sendHeartbeat, takeTurn } from './heartbeat-requests.js';
import { clientKinds, closeClients, connect, connectAnswering, type Asked } from './mcp-clients.js';
import { installed, type Installed } from './mcp-setting.js';
import { lostCall, modern as modernCall, post, session } from './wire-call.js';

const catalog = new LocalCatalog()
  .stdio('old', ['elicits.mjs', 'legacy'])
  .stdio('new', ['elicits.mjs', 'modern']);
// No test waits for the end of this wait.
const service = useService({ settings: { CATALOG_DIRS: catalog.folder, APPROVAL_WAIT_SECONDS: '120' } });
const hasty = useService({ settings: { CATALOG_DIRS: catalog.folder, APPROVAL_WAIT_SECONDS: '1' } });
afterAll(() => catalog.remove());
afterEach(closeClients);

let old: Installed;
let modern: Installed;
beforeAll(async () => {
  old = await installed(service, 'old');
  modern = await installed(service, 'new');
});

const [oldClient, newClient] = clientKinds;
const FORM = {
  type: 'object',
  properties: {
    branch: { type: 'string', title: 'Branch', enum: ['main', 'next'] },
    times: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
  },
  required: ['branch'],
};
const fields = { branch: 'next', times: 2 };
const asking = (server: Installed, at = service) => anAsker(at, server, { ask: null });
const gatesOf = async (agent: { id: string }) =>
  (await service.owner.get<{ id: string }[]>(`/api/projects/gates?agentId=${agent.id}`)).body;
const said = (answered: Parameters<typeof textOf>[0]) => JSON.parse(textOf(answered)) as unknown;
const textIn = (result: unknown) =>
  JSON.parse((result as { content: { text: string }[] }).content[0]!.text) as unknown;
const callsMade = async () => JSON.parse(await tryOut(service.owner, modern, 'count')) as { calls: number };

describe('a question of a server of the old era', () => {
  it('becomes a gate with its form, whose answer the running call gets', async () => {
    const asker = await asking(old);
    const calling = callOf(asker.caller, old, 'deploy');
    const gate = await openGate(service, asker.agent);
    expect(gate).toMatchObject({
      kind: 'question',
      title: `${old.name} asks: Which branch?`,
      issue: { id: asker.issueId },
      request: { question: 'Which branch?', schema: FORM, toolName: 'deploy', serverId: old.id },
    });
    // The fields are shown in the order in which the server has put them.
    const { properties } = gate.request['schema'] as typeof FORM;
    expect(Object.keys(properties)).toEqual(Object.keys(FORM.properties));
    expect((await readIssue(service.owner, asker.issue)).status).toBe('InProgress');
    expect((await answer(service.owner, gate, { fields: { branch: 'none' } })).status).toBe(400);
    await answer(service.owner, gate, { fields });
    expect(said(await calling)).toEqual({ action: 'accept', content: fields });
    const turn = await takeTurn(asker.agent, { issueId: asker.issueId, token: asker.token });
    expect(turn).toMatchObject({ proceed: true, answers: [] });
  });

  it('is declined when no person answers while the call is held', async () => {
    const server = await installed(hasty, 'old');
    const asker = await asking(server, hasty);
    expect(said(await callOf(asker.caller, server, 'deploy'))).toEqual({ action: 'decline' });
    const path = `/api/projects/gates?agentId=${asker.agent.id}`;
    const { body } = await hasty.owner.get<{ state: string }[]>(path);
    expect(body).toMatchObject([{ state: 'withdrawn' }]);
    expect((await readIssue(hasty.owner, asker.issue)).status).toBe('InProgress');
  });

  it('is withdrawn when its call is cancelled', async () => {
    const server = await installed(service, 'old');
    const asker = await asking(server);
    const client = await connect(asker.caller, oldClient);
    const cancel = new AbortController();
    const calling = client.call(`${server.slug}__deploy`, {}, { signal: cancel.signal });
    const gate = await openGate(service, asker.agent);
    cancel.abort();
    await expect(calling).rejects.toThrow();
    await until(async () => (await readGate(service.owner, gate)).state === 'withdrawn');
  });
});

describe('a question of a server of 2026-07-28', () => {
  it('is answered within the wait, and the call returns as if nothing had happened', async () => {
    const asker = await asking(modern);
    const calling = callOf(asker.caller, modern, 'deploy');
    const gate = await openGate(service, asker.agent);
    await answer(service.owner, gate, { fields });
    const responses = { where: { action: 'accept', content: fields } };
    expect(said(await calling)).toEqual({ inputResponses: responses, requestState: 'state 1' });
    expect(await executedGate(service, gate)).toMatchObject({ outcome: 'ok' });
  });

  it('holds the issue once its caller is gone, and the service finishes the call once with a late answer', async () => {
    const asker = await asking(modern);
    const { calls } = await callsMade();
    const gate = await aParkedGate(asker.caller, asker.agent);
    await until(async () => (await readIssue(service.owner, asker.issue)).status === 'WaitingOnDependency');
    await answer(service.owner, gate, { fields });
    expect(await executedGate(service, gate)).toMatchObject({ state: 'answered', outcome: 'ok' });
    const [picked] = (await sendHeartbeat(asker.agent, { capacity: 1 })).pickedUp;
    const { token } = picked!.lease;
    const turn = await takeTurn(asker.agent, { issueId: asker.issueId, token });
    const [answered] = turn.answers as Record<string, unknown>[];
    expect(answered).toMatchObject({ gateId: gate.id, kind: 'question', toolName: 'deploy', fields });
    expect(textIn(answered!.result)).toMatchObject({ requestState: 'state 1' });
    expect(await callsMade()).toEqual({ calls: calls + 2 });
    const sealed = await service.sql('SELECT 1 FROM gate_arguments WHERE gate_id = $1', [gate.id]);
    expect(sealed).toEqual([]);
  });

  it.each([oldClient, newClient])(
    'is withdrawn when %s cancels its call, which is not finished',
    async (kind) => {
      const asker = await asking(modern);
      const { calls } = await callsMade();
      const client = await connect(asker.caller, kind);
      const cancel = new AbortController();
      const calling = client.call(`${modern.slug}__deploy`, {}, { signal: cancel.signal });
      const gate = await openGate(service, asker.agent);
      cancel.abort();
      await expect(calling).rejects.toThrow();
      await until(async () => (await readGate(service.owner, gate)).state === 'withdrawn');
      expect((await readIssue(service.owner, asker.issue)).status).toBe('InProgress');
      expect(await callsMade()).toEqual({ calls: calls + 1 });
    },
  );

  it('releases the issue when it is withdrawn, and the call is not finished', async () => {
    const asker = await asking(modern);
    const { calls } = await callsMade();
    const gate = await aParkedGate(asker.caller, asker.agent);
    await until(async () => (await readIssue(service.owner, asker.issue)).status === 'WaitingOnDependency');
    await withdraw(service.owner, gate);
    expect((await readIssue(service.owner, asker.issue)).status).toBe('Open');
    expect(await callsMade()).toEqual({ calls: calls + 1 });
  });

  it('is not sent to the server after the grant was revoked', async () => {
    const asker = await asking(modern);
    const { calls } = await callsMade();
    const gate = await aParkedGate(asker.caller, asker.agent);
    await until(async () => (await readIssue(service.owner, asker.issue)).status === 'WaitingOnDependency');
    await setAsk(service, modern, asker.agent, { granted: false });
    await answer(service.owner, gate, { fields });
    expect(await executedGate(service, gate)).toMatchObject({ outcome: 'refused' });
    expect(await callsMade()).toEqual({ calls: calls + 1 });
  });

  it('becomes a task where the client knows them', async () => {
    const server = await installed(hasty, 'new');
    const { agent } = await asking(server, hasty);
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
    const name = `${server.slug}__deploy`;
    const { message } = await modernCall(agent, 'tools/call', { name, arguments: {}, _meta });
    const { taskId, status } = message.result as unknown as { taskId: string; status: string };
    expect(status).toBe('working');
    await answer(hasty.owner, { id: taskId }, { fields });
    const done = await until(async () => {
      const polled = await modernCall(agent, 'tasks/get', { taskId, _meta }, { 'mcp-name': taskId });
      const task = polled.message.result as unknown as { status: string; result?: unknown };
      return task.status === 'completed' ? task : null;
    });
    expect(textIn(done.result)).toMatchObject({ requestState: 'state 1' });
  });

  it('is answered together with others in one form', async () => {
    const asker = await asking(modern);
    const also = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: nameForm } };
    const calling = callOf(asker.caller, modern, 'deploy', { also });
    const gate = await openGate(service, asker.agent);
    expect(gate.request['question']).toBe('1. Which branch?\n\n2. Who?');
    await answer(service.owner, gate, { fields: { where: fields, who: { name: 'Ada' } } });
    expect(said(await calling)).toMatchObject({
      inputResponses: { where: { content: fields }, who: { content: { name: 'Ada' } } },
    });
  });

  const nameForm = { type: 'object', properties: { name: { type: 'string' } } };

  /** Leaves a call while its question is open. */
  async function aParkedGate(caller: Caller, agent: Caller) {
    const { id } = await session(caller);
    const lose = lostCall(caller, id, { name: `${modern.slug}__deploy`, arguments: {} });
    const gate = await openGate(service, agent);
    lose();
    return gate;
  }
});

describe('a client that answers questions', () => {
  it.each([
    [oldClient, 'the old era', () => old],
    [oldClient, '2026-07-28', () => modern],
    [newClient, '2026-07-28', () => modern],
  ] as const)('%s is asked by a server of %s, and no person is', async (kind, _, server) => {
    const { caller, agent } = await asking(server());
    const asked: Asked[] = [];
    const call = await connectAnswering(caller, kind, (one) => {
      asked.push(one);
      return { action: 'accept', content: { branch: 'main' } };
    });
    const result = await call(`${server().slug}__deploy`);
    expect(asked).toMatchObject([{ message: 'Which branch?', requestedSchema: FORM }]);
    const accepted = { action: 'accept', content: { branch: 'main' } };
    expect(JSON.stringify(textIn(result))).toContain(JSON.stringify(accepted));
    expect(await gatesOf(agent)).toEqual([]);
  });

  it('is asked again in each round', async () => {
    const { caller } = await asking(modern);
    let rounds = 0;
    const call = await connectAnswering(caller, newClient, () => {
      rounds += 1;
      return { action: 'decline' };
    });
    const result = await call(`${modern.slug}__deploy`, { again: true });
    expect(textIn(result)).toMatchObject({ requestState: 'state 2' });
    expect(rounds).toBe(2);
  });

  it('of 2026-07-28 cannot be asked in the middle of a call, so a person is', async () => {
    const { caller, agent } = await asking(old);
    const call = await connectAnswering(caller, newClient, () => ({ action: 'decline' }));
    const calling = call(`${old.slug}__deploy`);
    await answer(service.owner, await openGate(service, agent), { fields });
    expect(textIn(await calling)).toEqual({ action: 'accept', content: fields });
  });
});

describe('a question that no one may be asked', () => {
  const field = (one: object) => ({ requestedSchema: { type: 'object', properties: { one } } });
  const forbidden: Record<string, object> = {
    'opens an address': { mode: 'url', url: 'https://example.org', elicitationId: 'a' },
    'asks for a credential': {
      requestedSchema: { type: 'object', properties: { api_key: { type: 'string' } } },
    },
    'has a text of 5,000 characters': { message: 'x'.repeat(5_000) },
    'has a choice that cannot be seen': field({ type: 'string', enum: ['a\u202eb'] }),
  };

  it.each(Object.entries(forbidden))('since it %s is declined in both eras', async (_, ask) => {
    const { caller, agent } = await asking(modern);
    await setAsk(service, old, agent, { ask: null });
    expect(said(await callOf(caller, modern, 'deploy', { ask }))).toMatchObject({
      inputResponses: { where: { action: 'decline' } },
    });
    expect(JSON.stringify(said(await callOf(caller, old, 'deploy', { ask })))).toMatch(/decline|URL/);
    expect(await gatesOf(agent)).toEqual([]);
  });

  it('shows invisible characters of the others', async () => {
    const { caller, agent } = await asking(old);
    const calling = callOf(caller, old, 'deploy', { ask: { message: 'Delete \u202enothing?' } });
    const gate = await openGate(service, agent);
    expect(gate.request['question']).toBe('Delete \\u{202e}nothing?');
    await withdraw(service.owner, gate);
    expect(said(await calling)).toEqual({ action: 'decline' });
  });

  it('is declined for a call that a person approved, which is made once', async () => {
    const asker = await anAsker(service, modern);
    const calling = callOf(asker.caller, modern, 'deploy');
    await answer(service.owner, await openGate(service, asker.agent), { decision: 'approve' });
    expect(said(await calling)).toMatchObject({ inputResponses: { where: { action: 'decline' } } });
    expect(codeOf(await calling)).toBeUndefined();
  });
});

describe('a process that agents share', () => {
  it('is refused a question while the calls of two agents run, and none of them is asked', async () => {
    const server = await installed(service, 'old');
    const [one, other] = [await asAgent(service), await asAgent(service)];
    for (const agent of [one, other]) await setAsk(service, server, agent, { ask: null });
    const client = await connect(other, oldClient);
    const cancel = new AbortController();
    let hasBegun = false;
    const onprogress = () => void (hasBegun = true);
    const hanging = client.call(`${server.slug}__hang`, {}, { signal: cancel.signal, onprogress });
    hanging.catch(() => undefined);
    await until(() => hasBegun);
    expect(textOf(await callOf(one, server, 'deploy'))).toContain('2 requests are running');
    cancel.abort();
    await expect(hanging).rejects.toThrow();
    // The server may still work on the call that was cancelled, and ask about that one.
    await until(async () => {
      const refused = textOf(await callOf(one, server, 'deploy'));
      return refused.includes('another caller was cancelled');
    });
    expect(await gatesOf(one)).toEqual([]);
    expect(await gatesOf(other)).toEqual([]);
    const log = async () => (await service.owner.get(`/api/mcp/installed/${server.id}/logs`)).text;
    await until(async () => (await log()).includes('A question of the server was refused'));
  });
});

describe('a session of which each request reaches another process', () => {
  let other: Service;
  beforeAll(async () => {
    other = await service.second();
  });
  const headersOf = (id: string) => ({ 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' });
  let server: Installed;
  // A process in which the call of another caller was cancelled may ask nothing.
  beforeEach(async () => {
    server = await installed(service, 'old');
  });
  const deploy = () => ({ name: `${server.slug}__deploy`, arguments: {} });

  it('cancels its call in the one that runs it', async () => {
    const asker = await asking(server);
    const { id } = await session(asker.caller);
    const lose = lostCall(asker.caller, id, deploy());
    const gate = await openGate(service, asker.agent);
    const stop = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'lost' } };
    expect((await post(asker.caller.at(other), stop, headersOf(id))).status).toBe(202);
    await until(async () => (await readGate(service.owner, gate)).state === 'withdrawn');
    lose();
  });

  it.each([
    ['a short answer', 'next'],
    // More than one notification of PostgreSQL carries.
    ['a long one', 'n'.repeat(60_000)],
  ])('takes %s to the one that asked', async (_, branch) => {
    const asker = await asking(server);
    const { id } = await session(asker.caller, {}, { elicitation: {} });
    const frame = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: deploy() };
    const calling = await asker.caller.open('POST', '/mcp', {
      rawBody: JSON.stringify(frame),
      headers: {
        ...{ accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
        ...headersOf(id),
      },
    });
    let text = '';
    let asked: string | undefined;
    for await (const chunk of calling.body) {
      text += String(chunk);
      const question: string | undefined = /"id":"(question-[^"]+)"/.exec(text)?.[1];
      if (asked || !question) continue;
      asked = question;
      const result = { action: 'accept', content: { branch, times: 2 } };
      const answered = { jsonrpc: '2.0', id: question, result };
      expect((await post(asker.caller.at(other), answered, headersOf(id))).status).toBe(202);
    }
    // Not by toContain, which would print all of it.
    expect([text.includes('accept'), text.includes(branch)]).toEqual([true, true]);
  });

  it('is over in both once its client has deleted it', async () => {
    const { caller } = await asking(server);
    const { id, request } = await session(caller);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const atOther = async () => (await post(caller.at(other), list, headersOf(id))).status;
    expect([(await request('tools/list')).status, await atOther()]).toEqual([200, 200]);
    expect((await caller.open('DELETE', '/mcp', { headers: headersOf(id) })).statusCode).toBe(200);
    await until(async () => (await atOther()) === 404);
  });
});
