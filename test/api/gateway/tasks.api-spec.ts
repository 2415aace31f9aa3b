import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CallToolResultSchema, type CreateTaskResult } from '@modelcontextprotocol/sdk/types.js';
import { CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Loose } from '../../support/wire.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { answer, makeDue, readGate, readIssue, withdraw } from '../work/gates/gate-requests.js';
import {
  anAsker,
  codeOf,
  executedGate,
  openGate,
  setAsk,
  type Asker,
  type CallResult,
} from './approval-setting.js';
import { sendHeartbeat, takeTurn } from './heartbeat-requests.js';
import { closeClients, connectTasker } from './mcp-clients.js';
import { installed, revoke, type Installed } from './mcp-setting.js';
import { modern, session } from './wire-call.js';

const tool = (name: string, annotations = {}) => ({
  ...{ name, description: name, annotations },
  inputSchema: { type: 'object' },
});

const catalog = new LocalCatalog();
const file = catalog.toolsFile('tasks', [tool('write'), tool('look', { readOnlyHint: true })]);
catalog.stdio('files', ['tools-from-file.mjs'], { variables: [{ name: 'TOOLS_FILE' }] });
const service = useService({ settings: { CATALOG_DIRS: catalog.folder, APPROVAL_WAIT_SECONDS: '1' } });
afterAll(() => catalog.remove());
afterEach(closeClients);

let server: Installed;
beforeAll(async () => {
  server = await installed(service, 'files', { envValues: { TOOLS_FILE: file } });
});

const approve = { decision: 'approve' };
type Task = { taskId: string; status: string; result?: CallResult };

/** Calls a tool as a task, as a client of 2025-11-25 does. */
async function aTask(caller: Caller, args: object = {}, name = 'write') {
  const client = await connectTasker(caller);
  const params = { name: `${server.slug}__${name}`, arguments: { ...args } };
  const created = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema, {
    task: { ttl: 60_000 },
  });
  return { client, tasks: client.experimental.tasks, created, id: created.task.taskId };
}

/** An agent with a live lease that calls with its own key: the key of a lease ends with the wait. */
const withOwnKey = async (fields?: object): Promise<Asker> => {
  const asker = await anAsker(service, server, fields);
  return { ...asker, caller: asker.agent };
};

describe('a tool call as a task of 2025-11-25', () => {
  it('is polled while a person approves it, and gives its result', async () => {
    const { agent, issue } = await withOwnKey();
    const client = await connectTasker(agent);
    const listed = (await client.listTools()).tools.filter(({ name }) => name.startsWith(server.slug));
    expect(listed.map(({ execution }) => execution)).toEqual([{ taskSupport: 'optional' }, undefined]);
    expect(client.getServerCapabilities()?.tasks).toEqual({ cancel: {}, requests: { tools: { call: {} } } });
    const stream = client.experimental.tasks.callToolStream({
      name: `${server.slug}__write`,
      arguments: { polled: 1 },
    });
    const seen: string[] = [];
    for await (const message of stream) {
      seen.push(message.type === 'taskStatus' ? message.task.status : message.type);
      if (message.type === 'taskCreated') {
        expect(message.task).toMatchObject({ status: 'working', ttl: null, pollInterval: 5_000 });
        const id = message.task.taskId;
        expect(await client.experimental.tasks.getTask(id)).toMatchObject({ taskId: id, status: 'working' });
        await answer(service.owner, { id }, approve);
        await executedGate(service, { id });
      }
      if (message.type === 'result')
        expect(message.result).toMatchObject({ content: [{ text: '{"polled":1}' }] });
    }
    expect(seen).toEqual(['taskCreated', 'completed', 'result']);
    expect((await readIssue(service.owner, issue)).status).toBe('InProgress');
  });

  it('ends the lease when the wait is over, and has its result once it is approved', async () => {
    const { agent, issue } = await withOwnKey();
    const { tasks, id } = await aTask(agent, { later: 1 });
    await until(async () => (await readIssue(service.owner, issue)).status === 'WaitingOnDependency');
    const result = tasks.getTaskResult(id, CallToolResultSchema);
    await answer(service.owner, { id }, approve);
    expect(await result).toMatchObject({
      content: [{ text: '{"later":1}' }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId: id } },
    });
    expect((await readIssue(service.owner, issue)).status).toBe('Open');
    // The worker that picks the issue up gets it as well.
    const [picked] = (await sendHeartbeat(agent, { capacity: 1 })).pickedUp;
    const turn = await takeTurn(agent, { issueId: issue.id, token: picked!.lease.token });
    expect(turn.answers).toMatchObject([{ gateId: id, outcome: 'ok' }]);
  });

  it('says to the model at once that it waits', async () => {
    const { created } = await aTask((await withOwnKey()).agent);
    expect((created as CreateTaskResult)._meta).toMatchObject({
      'io.modelcontextprotocol/model-immediate-response': expect.stringContaining('A person has to approve'),
    });
  });

  const refusing: [string, string, (id: string, asker: Asker) => Promise<unknown>][] = [
    ['denied', 'approval_denied', (id) => answer(service.owner, { id }, { decision: 'deny', note: 'No.' })],
    ['expired', 'approval_expired', (id) => makeDue(service, { id })],
    [
      'approved after its grant was revoked',
      'approval_outdated',
      async (id, { agent }) => {
        await revoke(service, server, agent);
        await answer(service.owner, { id }, approve);
      },
    ],
    [
      'approved after its issue was given to another agent',
      'approval_outdated',
      async (id, { issueId }) => {
        const { id: assignedAgentId } = await asAgent(service);
        await until(
          async () => (await readIssue(service.owner, { id: issueId })).status === 'WaitingOnDependency',
        );
        await service.owner.put(`/api/projects/issues/${issueId}`, { assignedAgentId });
        await answer(service.owner, { id }, approve);
      },
    ],
  ];

  it.each(refusing)('that is %s has the result %s', async (_, code, refuse) => {
    const asker = await withOwnKey();
    const { tasks, id } = await aTask(asker.agent);
    await refuse(id, asker);
    const result = await tasks.getTaskResult(id, CallToolResultSchema);
    expect(result).toMatchObject({ isError: true, structuredContent: { code } });
    expect(await tasks.getTask(id)).toMatchObject({ status: 'completed' });
    await expect(tasks.cancelTask(id)).rejects.toMatchObject({ code: -32_602 });
  });

  it('withdraws its gate when its client cancels it', async () => {
    const asker = await withOwnKey();
    const { tasks, id } = await aTask(asker.agent);
    expect(await tasks.cancelTask(id)).toMatchObject({ taskId: id, status: 'cancelled' });
    expect(await readGate(service.owner, { id })).toMatchObject({ state: 'withdrawn', outcome: null });
    await expect(tasks.cancelTask(id)).rejects.toMatchObject({ code: -32_602 });
    await expect(tasks.getTaskResult(id, CallToolResultSchema)).rejects.toMatchObject({ code: -32_600 });
    expect((await answer(service.owner, { id }, approve)).status).toBe(409);
    expect((await readIssue(service.owner, asker.issue)).status).toBe('InProgress');
  });

  it('is cancelled when a person withdraws its gate', async () => {
    const { tasks, id } = await aTask((await withOwnKey()).agent);
    await withdraw(service.owner, { id });
    expect(await tasks.getTask(id)).toMatchObject({ status: 'cancelled' });
  });

  it('runs without a person where its tool was approved for the whole issue', async () => {
    const { agent } = await withOwnKey();
    const first = await aTask(agent, { n: 1 });
    await answer(service.owner, { id: first.id }, { ...approve, scope: 'issue' });
    await first.tasks.getTaskResult(first.id, CallToolResultSchema);
    const second = await aTask(agent, { n: 2 });
    const result = await second.tasks.getTaskResult(second.id, CallToolResultSchema);
    expect(result).toMatchObject({ content: [{ text: '{"n":2}' }] });
    expect(await readGate(service.owner, second)).toMatchObject({
      ...{ state: 'answered', outcome: 'ok', answeredBy: { type: 'user' } },
      answer: { decision: 'approve', scope: 'once' },
    });
  });

  it('is refused for a tool without approval, and for one of the platform', async () => {
    const { agent } = await withOwnKey();
    await expect(aTask(agent, {}, 'look')).rejects.toMatchObject({ code: -32_601 });
    const { request } = await session(agent);
    const params = { name: 'platform__my_issues', arguments: {}, task: {} };
    expect((await request('tools/call', params)).message.error).toMatchObject({ code: -32_601 });
  });

  it('is an error where the agent has too many gates', async () => {
    const { agent } = await withOwnKey();
    await service.sql(
      `INSERT INTO gates (id, kind, agent_id, answer_role, title, request, expires_at, opened_by_type, opened_by_name)
       SELECT gen_random_uuid(), 'question', $1, 'Admin', 'Why?', '{}', now() + interval '1 day', 'agent', 'test' FROM generate_series(1, 20)`,
      [agent.id],
    );
    await expect(aTask(agent)).rejects.toMatchObject({ code: -32_600, data: { code: 'gate_limit' } });
  });

  it('is not there with a lease key, which ends with the wait', async () => {
    const { caller } = await anAsker(service, server);
    const client = await connectTasker(caller);
    expect(client.getServerCapabilities()?.tasks).toBeUndefined();
    const { tools } = await client.listTools();
    expect(tools.filter(({ execution }) => execution)).toEqual([]);
    const { request } = await session(caller);
    const called = await request('tools/call', { name: `${server.slug}__write`, arguments: {}, task: {} });
    expect(codeOf(called)).toBe('approval_pending');
  });
});

const clientCapabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const _meta = { 'io.modelcontextprotocol/clientCapabilities': clientCapabilities };
/** Sends a request of 2026-07-28 whose client declares the extension. */
const declaring = (caller: Caller, method: string, params: Record<string, unknown>) =>
  modern(
    caller,
    method,
    { ...params, _meta },
    'taskId' in params ? { 'mcp-name': String(params.taskId) } : {},
  );
const callWith = (caller: Caller, args: object) =>
  declaring(caller, 'tools/call', { name: `${server.slug}__write`, arguments: args });
const get = async (caller: Caller, taskId: string) =>
  (await declaring(caller, 'tasks/get', { taskId })).message.result as unknown as Task;

describe('a tool call as a task of 2026-07-28', () => {
  it('is one only after the wait, and is polled for its result', async () => {
    const { agent, issue } = await withOwnKey();
    const discovered = (await modern(agent, 'server/discover')).message.result as Loose;
    expect((discovered.capabilities as Loose).extensions).toEqual(clientCapabilities.extensions);
    const { message } = await callWith(agent, { late: 1 });
    const created = message.result as unknown as Task;
    expect(created).toMatchObject({
      resultType: 'task',
      status: 'working',
      ttlMs: null,
      pollIntervalMs: 5_000,
    });
    const id = created.taskId;
    expect((await readIssue(service.owner, issue)).status).toBe('WaitingOnDependency');
    expect(await get(agent, id)).toMatchObject({ resultType: 'complete', taskId: id, status: 'working' });
    await answer(service.owner, { id }, approve);
    await executedGate(service, { id });
    expect(await get(agent, id)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: '{"late":1}' }] },
    });
  });

  it('keeps its result for the poll where another request of the client receives it', async () => {
    const { agent } = await withOwnKey();
    const second = await service.second({ APPROVAL_WAIT_SECONDS: '600' });
    const calling = callWith(agent.at(second), { both: 1 });
    const { id } = await openGate(service, agent);
    expect((await callWith(agent.at(second), { both: 1 })).message.result).toMatchObject({ taskId: id });
    await answer(service.owner, { id }, approve);
    expect((await calling).message.result).toMatchObject({ content: [{ text: '{"both":1}' }] });
    await executedGate(service, { id });
    expect(await get(agent, id)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: '{"both":1}' }] },
    });
    expect((await takeTurn(agent)).answers).toEqual([]);
  });

  it('is cancelled by its client, and acknowledges what it cannot cancel any more', async () => {
    const { agent } = await withOwnKey();
    const { taskId } = (await callWith(agent, {})).message.result as unknown as Task;
    for (const method of ['tasks/update', 'tasks/cancel', 'tasks/cancel'])
      expect((await declaring(agent, method, { taskId })).message.result).toMatchObject({
        resultType: 'complete',
      });
    expect(await get(agent, taskId)).toMatchObject({ status: 'cancelled' });
    expect((await readGate(service.owner, { id: taskId })).state).toBe('withdrawn');
  });

  it('is not there for a client that does not declare it', async () => {
    const { agent } = await withOwnKey();
    const { taskId } = (await callWith(agent, {})).message.result as unknown as Task;
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { message } = await modern(agent, method, { taskId }, { 'mcp-name': taskId });
      expect(message.error).toMatchObject({
        code: -32_021,
        data: { requiredCapabilities: clientCapabilities },
      });
    }
  });

  it('is not there with a lease key', async () => {
    const { caller } = await anAsker(service, server);
    expect(codeOf(await callWith(caller, {}))).toBe('approval_pending');
  });
});

describe('a task', () => {
  it('is unknown to another agent, and so is every other gate', async () => {
    const { agent, issue } = await withOwnKey();
    const { id } = await aTask(agent);
    const other = await asAgent(service);
    await setAsk(service, server, other);
    const question = (
      await service.owner.post(`/api/projects/issues/${issue.id}/gates`, { question: 'Why?' })
    ).body as unknown as { id: string };
    const strange: [Caller, unknown][] = [
      [other, id],
      [agent, question.id],
      [agent, '00000000-0000-7000-8000-000000000000'],
      [agent, 'nonsense'],
      [agent, 7],
    ];
    for (const [caller, taskId] of strange) {
      const old = await session(caller);
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
        expect((await old.request(method, { taskId })).message.error).toMatchObject({ code: -32_602 });
      if (typeof taskId !== 'string') continue;
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
        expect((await declaring(caller, method, { taskId })).message.error).toMatchObject({ code: -32_602 });
    }
    expect((await readGate(service.owner, { id })).state).toBe('open');
  });

  it('whose result went to the caller was never one', async () => {
    const asker = await withOwnKey();
    const calling = modern(asker.agent, 'tools/call', { name: `${server.slug}__write`, arguments: {} });
    const { id } = await openGate(service, asker.agent);
    const answered = await answer(service.owner, { id }, approve);
    await calling;
    const { outcome } = await executedGate(service, { id });
    expect([answered.status, outcome]).toEqual([200, 'ok']);
    const { message } = await declaring(asker.agent, 'tasks/get', { taskId: id });
    // Where the machine is slow the wait was over first, and the result is kept.
    const [row] = await service.sql<{ kept: boolean }>(
      `SELECT result <> 'null' AS kept FROM gates WHERE id = $1`,
      [id],
    );
    if (row!.kept) expect(message.result).toMatchObject({ status: 'completed' });
    else expect(message.error).toMatchObject({ code: -32_602 });
  });
});
