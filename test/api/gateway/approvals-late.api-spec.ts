import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createdBy, someName } from '../../support/builders.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { verify } from '../mcp/servers.js';
import { answer, makeDue, readGate, readIssue } from '../work/gates/gate-requests.js';
import {
  anAsker,
  callOf,
  codeOf,
  executedGate,
  openGate,
  resultOf,
  setAsk,
  type Asker,
} from './approval-setting.js';
import { leaseOf } from './lease-setting.js';
import { sendHeartbeat, takeTurn } from './heartbeat-requests.js';
import { closeClients, clientKinds, connect } from './mcp-clients.js';
import { installed, revoke, type Installed } from './mcp-setting.js';
import { lostCall, session } from './wire-call.js';

const tool = (name: string, description = name) => ({ name, description, inputSchema: { type: 'object' } });

const catalog = new LocalCatalog();
const file = catalog.toolsFile('late', [tool('write')]);
catalog.stdio('files', ['tools-from-file.mjs'], { variables: [{ name: 'TOOLS_FILE' }] });
catalog.stdio('per-agent', ['tools-from-file.mjs'], {
  variables: [{ name: 'TOOLS_FILE' }],
  manifest: { sharing: 'agent' },
});
const service = useService({ settings: { CATALOG_DIRS: catalog.folder, APPROVAL_WAIT_SECONDS: '1' } });
afterAll(() => catalog.remove());
afterEach(closeClients);

let server: Installed;
beforeAll(async () => {
  server = await installed(service, 'files', { envValues: { TOOLS_FILE: file } });
});

const approve = { decision: 'approve' };

/** Lets a call wait in vain, and returns its gate. */
async function aLateGate(asker: Asker, args: object = {}, at = server) {
  const response = await callOf(asker.caller, at, 'write', args);
  expect(codeOf(response)).toBe('approval_pending');
  return readGate(service.owner, { id: resultOf(response).structuredContent!.gateId! });
}

/** Returns why the issue began and ceased to wait, oldest first. */
async function causesOf({ issueId }: Asker): Promise<string[]> {
  const rows = await service.sql<{ cause: string }>(
    `SELECT data->>'cause' AS cause FROM journal
     WHERE subject_id = $1 AND type = 'issue.status_changed' AND data->>'gateId' IS NOT NULL ORDER BY position`,
    [issueId],
  );
  return rows.map(({ cause }) => cause);
}

describe('a call whose approval comes after its wait', () => {
  it('ends the lease, is executed once by the service, and its result comes with the next pick-up', async () => {
    const asker = await anAsker(service, server);
    const gate = await aLateGate(asker, { late: 'yes\u0000' });
    expect((await readIssue(service.owner, asker.issue)).status).toBe('WaitingOnDependency');
    const beat = await sendHeartbeat(asker.agent, {
      leases: [{ issueId: asker.issueId, token: asker.token }],
    });
    expect(beat.stop).toEqual([{ issueId: asker.issueId, reason: 'waiting' }]);
    await answer(await asEditor(service), gate, approve);
    expect(await executedGate(service, gate)).toMatchObject({ state: 'answered', outcome: 'ok' });
    expect((await readIssue(service.owner, asker.issue)).status).toBe('Open');
    // The answer alone does not release the issue: an agent would work on it while its call runs.
    expect(await causesOf(asker)).toEqual(['gate_opened', 'gate_executed']);
    const [picked] = (await sendHeartbeat(asker.agent, { capacity: 1 })).pickedUp;
    expect(picked).toMatchObject({ issue: { id: asker.issueId } });
    const { token } = picked!.lease;
    const turn = await takeTurn(asker.agent, { issueId: asker.issueId, token });
    expect(turn.answers).toMatchObject([
      {
        ...{ gateId: gate.id, kind: 'approval', toolName: 'write', decision: 'approve', outcome: 'ok' },
        result: { content: [{ text: expect.stringContaining('yes') }] },
      },
    ]);
    expect((await takeTurn(asker.agent, { issueId: asker.issueId, token })).answers).toEqual([]);
    // Records are written in batches.
    const calls = await until(async () => {
      const path = `/api/projects/issues/${asker.issueId}/calls`;
      const { body } = await service.owner.get<{ outcome: string; gateId: string }[]>(path);
      return body.length === 2 ? body : null;
    });
    expect(calls.map(({ outcome, gateId }) => [outcome, gateId]).toSorted()).toEqual([
      ['ok', gate.id],
      ['refused', gate.id],
    ]);
    const journal = await service.sql<{ type: string }>(
      `SELECT type FROM journal WHERE subject_id = $1 ORDER BY position`,
      [gate.id],
    );
    expect(journal.map(({ type }) => type)).toEqual(['gate.opened', 'gate.answered', 'gate.executed']);
  });

  it('is returned by platform__gate_result where the agent has no lease', async () => {
    const agent = await asAgent(service);
    await setAsk(service, server, agent);
    const response = await callOf(agent, server, 'write', { alone: 1 });
    const gateId = resultOf(response).structuredContent!.gateId!;
    expect(resultOf(response).content[0]!.text).toContain('platform__gate_result');
    await answer(service.owner, { id: gateId }, approve);
    await executedGate(service, { id: gateId });
    const client = await connect(agent, clientKinds[1]);
    expect((await client.call('platform__gate_result', { gateId })).structuredContent).toMatchObject({
      ...{ state: 'answered', outcome: 'ok', answer: { decision: 'approve' } },
      result: { content: [{ text: '{"alone":1}' }] },
    });
    // The next turn without an issue brings it as well, once.
    expect((await takeTurn(agent)).answers).toMatchObject([{ gateId, outcome: 'ok' }]);
    expect((await takeTurn(agent)).answers).toEqual([]);
  });

  it('is parked at once when the connection of its session is lost', async () => {
    const asker = await anAsker(service, server);
    const { id } = await session(asker.caller);
    const lose = lostCall(asker.caller, id, { name: `${server.slug}__write`, arguments: { gone: 1 } });
    const gate = await openGate(service, asker.agent);
    lose();
    await until(async () => (await readIssue(service.owner, asker.issue)).status === 'WaitingOnDependency');
    await answer(service.owner, gate, approve);
    expect((await executedGate(service, gate)).outcome).toBe('ok');
  });

  it('releases the issue at a denial, which comes with the next pick-up', async () => {
    const asker = await anAsker(service, server);
    const gate = await aLateGate(asker);
    await answer(service.owner, gate, { decision: 'deny', note: 'No.' });
    expect((await readIssue(service.owner, asker.issue)).status).toBe('Open');
    const [picked] = (await sendHeartbeat(asker.agent, { capacity: 1 })).pickedUp;
    const { answers } = await takeTurn(asker.agent, { issueId: asker.issueId, token: picked!.lease.token });
    expect(answers).toMatchObject([{ gateId: gate.id, decision: 'deny', note: 'No.', outcome: null }]);
  });

  it('is denied when its time is over', async () => {
    const asker = await anAsker(service, server);
    const gate = await aLateGate(asker);
    await makeDue(service, gate);
    await until(async () => (await readIssue(service.owner, asker.issue)).status === 'Open');
    await until(async () => {
      const kept = await service.sql('SELECT 1 FROM gate_arguments WHERE gate_id = $1', [gate.id]);
      return kept.length === 0;
    });
    expect(await readGate(service.owner, gate)).toMatchObject({
      state: 'expired',
      request: { arguments: null },
    });
  });
});

/** Each waits for an approval. The rule is that of the cases which run always. */
const itInFull = process.env['TEST_SIZE'] === 'full' ? it : it.skip;

describe('a call that was approved late is not made', () => {
  /** Prevents the call between its wait and its approval, and returns why it was not made. */
  async function reasonOf(
    prevent: (asker: Asker) => Promise<unknown>,
    at = server,
    made?: Asker,
  ): Promise<unknown> {
    const asker = made ?? (await anAsker(service, at));
    const gate = await aLateGate(asker, {}, at);
    await prevent(asker);
    await answer(service.owner, gate, approve);
    expect((await executedGate(service, gate)).outcome).toBe('refused');
    await until(async () => (await readIssue(service.owner, asker.issue)).status === 'Open');
    const [row] = await service.sql<{ result: { structuredContent: { code: string; reason: string } } }>(
      'SELECT result FROM gates WHERE id = $1',
      [gate.id],
    );
    expect(row!.result.structuredContent.code).toBe('approval_outdated');
    return row!.result.structuredContent.reason;
  }

  it('after a revoke', async () => {
    expect(await reasonOf(({ agent }) => revoke(service, server, agent))).toBe('not_granted');
  });

  itInFull('after a revoke and a new grant', async () => {
    const again = async ({ agent }: Asker) => {
      await revoke(service, server, agent);
      await setAsk(service, server, agent);
    };
    expect(await reasonOf(again)).toBe('not_granted');
  });

  it('after the grant got another credential set', async () => {
    const envValues = { TOOLS_FILE: file };
    await service.owner.post(`/api/mcp/installed/${server.id}/credential-sets`, { name: 'other', envValues });
    const change = ({ agent }: Asker) => setAsk(service, server, agent, { credentialSet: 'other' });
    expect(await reasonOf(change)).toBe('not_granted');
  });

  it('after the profile that gives the tool was changed', async () => {
    const agent = await asAgent(service);
    const { id } = await createdBy<{ id: string }>(service.owner, '/api/mcp/profiles', {
      name: someName('asking'),
      entries: [{ serverId: server.id, ask: 'writes' }],
      agentIds: [agent.id],
    });
    const change = () =>
      service.owner.put(`/api/mcp/profiles/${id}`, { entries: [{ serverId: server.id, ask: ['write'] }] });
    const asker = { agent, ...(await leaseOf(agent, service)) };
    expect(await reasonOf(change, server, asker)).toBe('not_granted');
  });

  it('while its agent is disabled', async () => {
    const disable = ({ agent }: Asker) => service.owner.put(`/api/agents/${agent.id}`, { disabled: true });
    expect(await reasonOf(disable)).toBe('agent_disabled');
  });

  itInFull('on an issue that was given to another agent', async () => {
    const other = await asAgent(service);
    const reassign = ({ issueId }: Asker) =>
      service.owner.put(`/api/projects/issues/${issueId}`, { assignedAgentId: other.id });
    expect(await reasonOf(reassign)).toBe('reassigned');
  });

  itInFull('while its server is disabled', async () => {
    const mine = await installed(service, 'files', { envValues: { TOOLS_FILE: file } });
    const disable = () => service.owner.post(`/api/mcp/installed/${mine.id}/disable`);
    expect(await reasonOf(disable, mine)).toBe('server_disabled');
  });

  itInFull('after a change of its tool, even one that was approved', async () => {
    const own = catalog.toolsFile('changes', [tool('write')]);
    const mine = await installed(service, 'files', { envValues: { TOOLS_FILE: own } });
    const change = async () => {
      catalog.toolsFile('changes', [tool('write', 'does something else')]);
      await verify(service.owner, mine);
      await service.owner.post(`/api/mcp/installed/${mine.id}/tools/approve`, {});
    };
    expect(await reasonOf(change, mine)).toBe('tool_changed');
  });

  it('where a server that has to be started for it has changed the tool', async () => {
    const own = catalog.toolsFile('at-start', [tool('write')]);
    const mine = await installed(service, 'per-agent', { envValues: { TOOLS_FILE: own } });
    const change = () => {
      catalog.toolsFile('at-start', [tool('write', 'does something else')]);
      return Promise.resolve();
    };
    expect(await reasonOf(change, mine)).toBe('tool_changed');
  });
});
