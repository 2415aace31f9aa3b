import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { anIssue, aProject } from '../../support/builders.js';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { startService, useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { clientKinds, closeClients, connect, type AgentClient } from './mcp-clients.js';
import { grant, installed, type Installed } from './mcp-setting.js';
import { session } from './wire-call.js';

const catalog = new LocalCatalog()
  .stdio('offering', ['all-features.mjs'])
  .stdio('polite', ['misbehaving.mjs', 'polite']);
const settings = { CATALOG_DIRS: catalog.folder };
const service = useService({ settings });
afterAll(() => catalog.remove());
afterEach(closeClients);

interface Row {
  tool: string;
  result: string;
  outcome: string;
  reason: string | null;
  issue_id: string | null;
  server_name: string;
  argument_shape: unknown;
  duration_ms: number;
}

describe('the record of tool calls', () => {
  let server: Installed;
  let agent: Caller;
  let client: AgentClient;
  beforeAll(async () => {
    server = await installed(service, 'offering');
  });
  beforeEach(async () => {
    agent = await asAgent(service);
    await grant(service, server, agent, ['rich', 'fails', 'breaks', 'meta']);
    client = await connect(agent, clientKinds[1]);
  });
  const call = (tool: string, given: Record<string, unknown> = {}) =>
    client.call(`${server.slug}__${tool}`, given).catch(() => null);
  const rows = () =>
    service.sql<Row>('SELECT * FROM tool_calls WHERE agent_id = $1 ORDER BY called_at, id', [agent.id]);
  const recorded = (count: number) =>
    until<Row[] | null>(async () => {
      const found = await rows();
      return found.length === count ? found : null;
    });

  it('shows who called which tool and how the call ended', async () => {
    for (const tool of ['rich', 'fails', 'breaks', 'hang']) await call(tool);
    const found = await recorded(4);
    expect(found.map(({ tool, result, outcome, reason }) => [tool, result, outcome, reason])).toEqual([
      ['rich', 'ok', 'ok', null],
      ['fails', 'tool_error', 'tool_error', null],
      ['breaks', 'tool_error', 'tool_error', 'rpc_error'],
      ['hang', 'refused', 'refused', 'tool_not_granted'],
    ]);
    expect(found[0]).toMatchObject({
      server_name: server.name,
      issue_id: null,
      duration_ms: expect.any(Number),
    });
  });

  it('keeps at most 128 characters of the name of a refused call', async () => {
    const name = `${server.slug}__${'x'.repeat(3_000_000)}`;
    await (await session(agent)).request('tools/call', { name });
    expect((await recorded(1))[0]).toMatchObject({ tool: 'x'.repeat(128), result: 'refused' });
  });

  it('shows names and types of the arguments, never a value', async () => {
    await call('meta', {
      path: 'canary-of-the-call',
      lines: [1, 2],
      options: { deep: 'canary-of-the-call' },
      nothing: null,
      yes: true,
    });
    const [{ argument_shape: shape }] = (await recorded(1)) as [Row];
    expect(JSON.stringify(shape)).not.toContain('canary');
    expect(shape).toMatchObject({ path: 'string', yes: 'boolean', nothing: 'null' });
  });

  it('accepts any names of arguments', async () => {
    await call('meta', { ['a\u0000b']: 1, ['\ud83d']: 2, [`${'x'.repeat(99)}\u{1f600}`]: 3, '': 4 });
    await call('rich');
    expect(await recorded(2)).toHaveLength(2);
  });

  it('names the issue that the agent works on when it works on exactly one', async () => {
    const project = await aProject(service.owner);
    const first = await anIssue(service.owner, project, { assignedAgentId: agent.id });
    await anIssue(service.owner, project, { assignedAgentId: agent.id });
    await client.call('platform__next_issue');
    await call('rich');
    await client.call('platform__next_issue');
    await call('rich');
    expect((await recorded(2)).map(({ issue_id: id }) => id)).toEqual([first.id, null]);
  });
});

describe('at shutdown', () => {
  it('running calls are finished and recorded, and open streams do not delay the service', async () => {
    const other = await startService({ settings });
    try {
      const agent = await asAgent(other);
      const server = await installed(other, 'polite');
      await grant(other, server, agent);
      const clients = await Promise.all(clientKinds.map((kind) => connect(agent, kind)));
      await Promise.all(clients.map((client) => client.tools()));
      const calls = clients.map((client) => client.call(`${server.slug}__wait`, { ms: 1_000 }));
      await Promise.all(clients.map((client) => client.call(`${server.slug}__echo`)));
      const ended = other.stop();
      expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(['waited', 'waited']);
      expect(await ended).toMatchObject({ code: 0 });
      const rows = await other.sql<Row>(`SELECT * FROM tool_calls WHERE tool = 'wait'`);
      expect(rows.map(({ result }) => result)).toEqual(['ok', 'ok']);
    } finally {
      await closeClients();
      await other.remove();
    }
  });
});
