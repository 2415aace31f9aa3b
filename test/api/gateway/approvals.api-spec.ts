import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aComment } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { answer, readGate, readIssue, withdraw } from '../work/gates/gate-requests.js';
import {
  anAsker,
  callOf,
  codeOf,
  executedGate,
  openGate,
  resultOf,
  setAsk,
  textOf,
} from './approval-setting.js';
import { closeClients, clientKinds, connect, type ClientKind } from './mcp-clients.js';
import { takeTurn } from './heartbeat-requests.js';
import { grant, installed, revoke, type Installed } from './mcp-setting.js';
import { lostCall, modern, post, session } from './wire-call.js';

const tool = (name: string, annotations?: object) => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  ...(annotations && { annotations }),
});
const READ = tool('read', { readOnlyHint: true });
const WRITE = tool('write', { readOnlyHint: false, destructiveHint: true, title: 'Write' });

const catalog = new LocalCatalog();
const changing = catalog.toolsFile('changing', [
  READ,
  WRITE,
  tool('plain'),
  tool('odd', { readOnlyHint: 'true' }),
]);
catalog.stdio('files', ['tools-from-file.mjs'], {
  variables: [{ name: 'TOOLS_FILE' }, { name: 'KEY', isSecret: true, isRequired: false }],
});
// No test waits for the end of this wait.
const service = useService({ settings: { CATALOG_DIRS: catalog.folder, APPROVAL_WAIT_SECONDS: '120' } });
afterAll(() => catalog.remove());
afterEach(closeClients);

let server: Installed;
beforeAll(async () => {
  server = await installed(service, 'files', { envValues: { TOOLS_FILE: changing } });
});

const approve = { decision: 'approve' };
const deny = { decision: 'deny', note: 'Not on a Friday.' };

describe('a grant that asks', () => {
  const asked = async (agent: { id: string }) => {
    const path = `/api/agents/${agent.id}/tools`;
    const { body } = await service.owner.get<{ name: string; serverId: string; ask: boolean }[]>(path);
    return body.filter(({ serverId, ask }) => serverId === server.id && ask).map(({ name }) => name);
  };

  it('for writes asks for every tool that does not declare itself read-only', async () => {
    const agent = await asAgent(service);
    await setAsk(service, server, agent);
    expect(await asked(agent)).toEqual(['write', 'plain', 'odd']);
  });

  it('for some tools asks for those, and keeps that where a later change does not name it', async () => {
    const agent = await asAgent(service);
    await setAsk(service, server, agent, { ask: ['read'], approverRole: 'Admin' });
    await grant(service, server, agent, ['read', 'write']);
    expect(await asked(agent)).toEqual(['read']);
    await setAsk(service, server, agent, { ask: null });
    expect(await asked(agent)).toEqual([]);
    const { body } = await service.owner.get<Record<string, unknown>[]>(`/api/agents/${agent.id}/access`);
    expect(body.find(({ serverId }) => serverId === server.id)).toMatchObject({
      tools: ['read', 'write'],
      ask: null,
      approverRole: 'Admin',
    });
  });

  it.each([
    ['everything', 'entries[0].ask'],
    [['read', 'nope'], 'entries[0].ask[1]'],
    [[7], 'entries[0].ask'],
  ])('rejects %j', async (ask, path) => {
    const agent = await asAgent(service);
    const entries = [{ agentId: agent.id, granted: true, ask }];
    const { status, body } = await service.owner.put(`/api/mcp/installed/${server.id}/access`, { entries });
    expect([status, body]).toMatchObject([400, { errors: [{ path }] }]);
  });
});

describe('a call that needs an approval', () => {
  it('runs at once where its tool declares itself read-only', async () => {
    const { caller } = await anAsker(service, server);
    expect(textOf(await callOf(caller, server, 'read', { a: 1 }))).toBe('{"a":1}');
  });

  it('returns the ordinary result once a person has approved it', async () => {
    const { agent, caller, issue, issueId, token } = await anAsker(service, server);
    const editor = await asEditor(service);
    const long = `I write the file now. ${'Its tests pass. '.repeat(60)}`;
    for (const content of ['I look at it.', long])
      expect((await agent.post(`/api/projects/issues/${issueId}/comments`, { content })).status).toBe(201);
    await aComment(editor, { id: issueId }, 'Go on.');
    const calling = callOf(caller, server, 'write', { path: '/a' });
    const gate = await openGate(service, agent);
    expect(gate).toMatchObject({
      kind: 'approval',
      issue: { id: issueId },
      title: `${agent.name} asks to call write of ${server.name}`,
      openedBy: { type: 'agent', id: agent.id },
      request: {
        serverId: server.id,
        serverName: server.name,
        toolName: 'write',
        arguments: { path: '/a' },
        annotations: { readOnlyHint: false, destructiveHint: true },
        description: 'does write',
      },
      lastWords: { text: long.slice(0, 500), at: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    // The issue is still worked on.
    expect((await readIssue(editor, issue)).status).toBe('InProgress');
    expect((await answer(editor, gate, approve)).status).toBe(200);
    const result = resultOf(await calling);
    expect([result.isError, result.content[0]!.text]).toEqual([undefined, '{"path":"/a"}']);
    const after = await readGate(editor, gate);
    const closed = { state: 'answered', outcome: 'ok', request: { arguments: null }, lastWords: null };
    expect(after).toMatchObject(closed);
    expect((await readIssue(editor, issue)).status).toBe('InProgress');
    const turn = await takeTurn(agent, { issueId, token });
    expect([turn.proceed, turn.answers]).toEqual([true, []]);
    const calls = await until(async () => {
      const { body } = await editor.get<object[]>(`/api/projects/issues/${issueId}/calls`);
      return body.length === 1 ? body : null;
    });
    expect(calls).toMatchObject([{ toolName: 'write', outcome: 'ok', gateId: gate.id }]);
  });

  it.each([[[{ cmd: 'drop table users' }]], ['{"cmd":"rm -rf /"}'], [7], [true], [[]]])(
    'is -32602 before a person is asked where its arguments are no object: %j',
    async (args) => {
      const { agent, caller } = await anAsker(service, server);
      const name = `${server.slug}__write`;
      const { request } = await session(agent);
      for (const response of [
        await modern(caller, 'tools/call', { name, arguments: args }),
        await request('tools/call', { name, arguments: args }),
      ])
        expect(response.message.error).toMatchObject({
          code: -32602,
          message: expect.stringContaining('arguments'),
        });
      const { body } = await service.owner.get(`/api/projects/gates?agentId=${agent.id}`);
      expect(body).toEqual([]);
    },
  );

  it.each([[undefined], [null]])('has no arguments where they are %j: shown and sent as {}', async (args) => {
    const { agent, caller } = await anAsker(service, server);
    const calling = modern(caller, 'tools/call', { name: `${server.slug}__write`, arguments: args });
    const gate = await openGate(service, agent);
    expect(gate.request['arguments']).toEqual({});
    await answer(service.owner, gate, approve);
    expect(textOf(await calling)).toBe('{}');
  });

  it('works in a session of the old protocol era as well', async () => {
    const { agent, caller } = await anAsker(service, server);
    const { request } = await session(caller);
    const calling = request('tools/call', { name: `${server.slug}__write`, arguments: { b: 2 } });
    await answer(service.owner, await openGate(service, agent), approve);
    expect(textOf(await calling)).toBe('{"b":2}');
  });

  it('is not made where a person denies it, and says why', async () => {
    const { agent, caller, issueId, token } = await anAsker(service, server);
    const calling = callOf(caller, server, 'write');
    const gate = await openGate(service, agent);
    await answer(service.owner, gate, deny);
    const response = await calling;
    expect(resultOf(response)).toMatchObject({
      isError: true,
      structuredContent: { code: 'approval_denied', gateId: gate.id, note: 'Not on a Friday.' },
    });
    expect((await readGate(service.owner, gate)).outcome).toBeNull();
    expect((await takeTurn(agent, { issueId, token })).answers).toEqual([]);
  });

  it('is not made where its gate is withdrawn', async () => {
    const { agent, caller } = await anAsker(service, server);
    const calling = callOf(caller, server, 'write');
    expect((await withdraw(agent, await openGate(service, agent))).status).toBe(200);
    expect(codeOf(await calling)).toBe('approval_withdrawn');
  });

  it('is answered as pending while the same call waits already', async () => {
    const { agent, caller } = await anAsker(service, server);
    const calling = callOf(caller, server, 'write', { same: true });
    const gate = await openGate(service, agent);
    const second = resultOf(await callOf(caller, server, 'write', { same: true })).structuredContent;
    expect(second).toMatchObject({ code: 'approval_pending', gateId: gate.id });
    await answer(service.owner, gate, approve);
    expect(textOf(await calling)).toBe('{"same":true}');
  });

  it('needs no further approval on an issue for which the tool was approved', async () => {
    const { agent, caller } = await anAsker(service, server);
    const calling = callOf(caller, server, 'write', { n: 1 });
    await answer(service.owner, await openGate(service, agent), { ...approve, scope: 'issue' });
    await calling;
    expect(textOf(await callOf(caller, server, 'write', { n: 2 }))).toBe('{"n":2}');
    // Another tool asks, and so does the same one after its grant was given again.
    const other = callOf(caller, server, 'plain');
    await answer(service.owner, await openGate(service, agent), deny);
    expect(codeOf(await other)).toBe('approval_denied');
    await revoke(service, server, agent);
    await setAsk(service, server, agent);
    const again = callOf(caller, server, 'write', { n: 3 });
    await answer(service.owner, await openGate(service, agent), deny);
    expect(codeOf(await again)).toBe('approval_denied');
  });

  it('is refused with arguments that no person can read', async () => {
    const { caller } = await anAsker(service, server);
    const response = await callOf(caller, server, 'write', { text: 'x'.repeat(262_200) });
    expect(codeOf(response)).toBe('payload_too_large');
  });

  it('is lost with its lease, and its gate is withdrawn', async () => {
    const { agent, caller, issueId } = await anAsker(service, server);
    const calling = callOf(caller, server, 'write');
    const gate = await openGate(service, agent);
    await service.owner.post(`/api/projects/issues/${issueId}/pause`);
    expect(resultOf(await calling).structuredContent).toMatchObject({ code: 'lease_lost', reason: 'paused' });
    await until(async () => (await readGate(service.owner, gate)).state === 'withdrawn');
  });

  it('ends as withdrawn when a person resolves the issue of an agent with its own key', async () => {
    const { agent, issueId } = await anAsker(service, server);
    const calling = callOf(agent, server, 'write');
    await openGate(service, agent);
    await service.owner.put(`/api/projects/issues/${issueId}`, { status: 'Resolved' });
    expect(codeOf(await calling)).toBe('approval_withdrawn');
  });
});

/** Installs a server whose secret is an ordinary text: the guesses of an agent, which it may read, are no leak of a canary. */
async function withSecret(secret: string): Promise<Installed> {
  const made = await installed(service, 'files', { envValues: { TOOLS_FILE: changing } });
  const body = { envValues: { KEY: secret } };
  const changed = await service.owner.open('PUT', `/api/mcp/installed/${made.id}`, { body });
  expect([changed.statusCode, await changed.body.text()]).toEqual([200, expect.any(String)]);
  return made;
}

describe('a call that its client cancels while it waits', () => {
  /** Calls with an official client, cancels, and returns the gate once it is closed. */
  async function cancelled(caller: Caller, agent: Caller, kind: ClientKind) {
    const client = await connect(caller, kind);
    const cancel = new AbortController();
    const calling = client.call(`${server.slug}__write`, { stop: kind }, { signal: cancel.signal });
    const gate = await openGate(service, agent);
    cancel.abort();
    await expect(calling).rejects.toThrow();
    return until(async () => {
      const seen = await readGate(service.owner, gate);
      return seen.state === 'open' ? null : seen;
    });
  }

  it.each(clientKinds)('runs nothing, since its gate is withdrawn: %s', async (kind) => {
    const { agent, caller, issue } = await anAsker(service, server);
    const gate = await cancelled(caller, agent, kind);
    expect(gate.state).toBe('withdrawn');
    const { status, body } = await answer(service.owner, gate, approve);
    expect([status, body]).toMatchObject([409, { code: 'gate_closed' }]);
    expect((await readIssue(service.owner, issue)).status).toBe('InProgress');
    const [withdrawn] = await service.sql<{ actor: string }>(
      `SELECT actor_id AS actor FROM journal WHERE type = 'gate.withdrawn' AND subject_id = $1`,
      [gate.id],
    );
    expect(withdrawn).toEqual({ actor: agent.id });
  });

  it('in a batch runs nothing either', async () => {
    const agent = await asAgent(service);
    await setAsk(service, server, agent);
    const { id } = await session(agent);
    const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    const params = { name: `${server.slug}__write`, arguments: { batch: 1 } };
    const hangUp = lostCall(agent, id, params, { isBatch: true });
    const gate = await openGate(service, agent);
    const stop = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'lost' } };
    await post(agent, stop, headers);
    await until(async () => (await readGate(service.owner, gate)).state === 'withdrawn');
    hangUp();
  });

  it('goes on for another request that waits for its result', async () => {
    const { agent, caller } = await anAsker(service, server);
    const client = await connect(caller, clientKinds[0]);
    const cancel = new AbortController();
    const calling = client.call(`${server.slug}__write`, { both: 1 }, { signal: cancel.signal });
    const gate = await openGate(service, agent);
    expect(codeOf(await callOf(caller, server, 'write', { both: 1 }))).toBe('approval_pending');
    cancel.abort();
    await expect(calling).rejects.toThrow();
    await answer(service.owner, gate, approve);
    expect(await executedGate(service, gate)).toMatchObject({ outcome: 'ok' });
  });
});

describe('the gate of a call', () => {
  it('shows credentials masked, and characters that cannot be seen', async () => {
    const { agent, caller } = await anAsker(service, server);
    const args = {
      password: 'hunter2-hunter2',
      nested: [{ 'API-Key': 'abc' }, 'use ghp_0123456789012345678901234567890123456 here'],
      text: 'pay \u202eevil\u202c \u{e0041}',
      token: 'a text with spaces is no credential',
    };
    const calling = callOf(caller, server, 'write', args);
    const gate = await openGate(service, agent);
    expect(gate.request['arguments']).toEqual({
      password: '[secret]',
      nested: [{ 'API-Key': '[secret]' }, 'use [secret] here'],
      text: 'pay \\u{202e}evil\\u{202c} \\u{e0041}',
      token: 'a text with spaces is no credential',
    });
    const stored = await service.sql('SELECT request::text, title FROM gates WHERE id = $1', [gate.id]);
    expect(JSON.stringify(stored)).not.toMatch(/hunter2|evil/);
    await answer(service.owner, gate, approve);
    // The server gets what the agent sent.
    expect(JSON.parse(textOf(await calling))).toEqual(args);
  });

  it('masks for people what is a secret of its server, and confirms no guess of its agent', async () => {
    await withSecret('other-secret-value');
    const own = await withSecret('own-secret-value');
    const { agent, caller } = await anAsker(service, own);
    const args = { guesses: ['other-secret-value', 'own-secret-value', 'no-secret-value'], password: 'mine' };
    const calling = callOf(caller, own, 'write', args);
    const gate = await openGate(service, agent);
    expect(gate.request['arguments']).toEqual({
      guesses: ['other-secret-value', '[secret]', 'no-secret-value'],
      password: '[secret]',
    });
    expect((await readGate(agent, gate)).request['arguments']).toEqual(args);
    const { body } = await agent.get<{ id: string; request: object }[]>('/api/projects/gates');
    expect(body.find(({ id }) => id === gate.id)?.request).toHaveProperty('arguments', args);
    await answer(service.owner, gate, deny);
    await calling;
  });

  it('shows its arguments to Editors and to its own agent only', async () => {
    const { agent, caller } = await anAsker(service, server);
    const calling = callOf(caller, server, 'write', { seen: true });
    const gate = await openGate(service, agent);
    const seen = async (reader: Parameters<typeof readGate>[0]) =>
      (await readGate(reader, gate)).request['arguments'];
    expect(await seen(await asEditor(service))).toEqual({ seen: true });
    expect(await seen(agent)).toEqual({ seen: true });
    expect(await seen(await asViewer(service))).toBeNull();
    expect(await seen(await asAgent(service))).toBeNull();
    await answer(service.owner, gate, deny);
    await calling;
  });

  it('is answered by an Admin where the grant says so', async () => {
    const { agent, caller } = await anAsker(service, server, { ask: ['read'], approverRole: 'Admin' });
    const calling = callOf(caller, server, 'read');
    const gate = await openGate(service, agent);
    expect((await answer(await asEditor(service), gate, approve)).status).toBe(403);
    await answer(service.owner, gate, approve);
    expect(resultOf(await calling).isError).toBeUndefined();
  });

  it('of an agent without a lease has no issue, and Admins answer it', async () => {
    const agent = await asAgent(service);
    await setAsk(service, server, agent);
    const calling = callOf(agent, server, 'write', { alone: true });
    const gate = await openGate(service, agent);
    expect(gate).toMatchObject({ issue: null, project: null, request: { arguments: { alone: true } } });
    expect((await answer(await asEditor(service), gate, approve)).status).toBe(404);
    await answer(service.owner, gate, approve);
    expect(textOf(await calling)).toBe('{"alone":true}');
  });

  it('is one of at most 20 that an agent may have open', async () => {
    const { agent, caller } = await anAsker(service, server);
    const calls = Array.from({ length: 21 }, (_, n) => callOf(caller, server, 'write', { n }));
    const first = await Promise.race(calls);
    expect(codeOf(first)).toBe('gate_limit');
    await service.owner.delete(
      `/api/projects/issues/${(await openGate(service, agent)).issue!.id}?confirm=true`,
    );
    const codes = (await Promise.all(calls)).map(codeOf);
    expect(codes.filter((code) => code === 'gate_limit')).toHaveLength(1);
  });
});
