import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Project } from '../../support/builders.js';
import { asAgent } from '../../support/callers.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { tryOut } from '../mcp/servers.js';
import { answer, makeDue, readGate, readIssue, type Gate } from '../work/gates/gate-requests.js';
import { expectInvariants } from '../work/issues/invariants.js';
import { callOf, codeOf, executedGate, openGate, setAsk, type Asker } from './approval-setting.js';
import { sendHeartbeat } from './heartbeat-requests.js';
import { callerWith } from './lease-setting.js';
import { installed, revoke, type Installed } from './mcp-setting.js';
import { post, session } from './wire-call.js';

const IS_FULL = process.env['TEST_SIZE'] === 'full';
const ROUNDS = IS_FULL ? 2_000 : 3;
/** Calls that a killed process makes: each kill costs the start of a process, so that 2,000 take a hundred starts. */
const KILLED = IS_FULL ? 2_000 : 3;
/** Rounds that run side by side: one agent's calls, of which at most 20 may wait. */
const SIDE = IS_FULL ? 20 : 3;
const LIMIT_MS = 120_000 + ROUNDS * 1_000;

const catalog = new LocalCatalog().stdio('call-log', ['call-log.mjs']);
let first: Service;
/** Lets a call wait for its approval; the first process parks it at once. */
let second: Service;
let server: Installed;
let project: Project;
beforeAll(async () => {
  const settings = { CATALOG_DIRS: catalog.folder, APPROVAL_WAIT_SECONDS: '0' };
  first = await startService({ settings });
  second = await first.second({ APPROVAL_WAIT_SECONDS: '600' });
  server = await installed(first, 'call-log');
  project = await aProject(first.owner);
  // A server lists its tools when it starts, which would undo the change of a tool that a test writes into the database.
  await logs();
});
afterAll(async () => {
  await first?.remove();
  catalog.remove();
});

type Round = Asker & { name: string; gate: Gate; calling: ReturnType<typeof callOf> };
type Contender = (round: Round) => Promise<{ status: number }>;

let rounds = 0;
const approve = { decision: 'approve' };
const approving: Contender = ({ gate }) => answer(first.owner, gate, approve);
const issueOf = ({ issueId }: Round) => `/api/projects/issues/${issueId}`;
const timesOf = <T>(count: number, make: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)));

/** Calls of one agent that wait, each for its own issue: in the second process with their callers, in the first without. */
async function roundsAt(process: Service, count: number, ends: object = { ms: 0 }): Promise<Round[]> {
  const agent = await asAgent(first, { maxConcurrentIssues: count });
  await setAsk(first, server, agent);
  const issues = await timesOf(count, () => anIssue(first.owner, project, { assignedAgentId: agent.id }));
  const { pickedUp } = await sendHeartbeat(agent, { capacity: count });
  expect(pickedUp).toHaveLength(count);
  const waiting = pickedUp.map(({ issue: { id }, lease, connect }) => {
    const caller = callerWith(first, connect);
    const name = `round ${(rounds += 1)}`;
    const issue = issues.find((one) => one.id === id)!;
    const calling = callOf(caller.at(process), server, 'work', { round: name, ...ends });
    return { agent, issueId: id, token: lease.token, issue, caller, connect, name, calling };
  });
  if (process === first)
    for (const { calling } of waiting) expect(codeOf(await calling)).toBe('approval_pending');
  const gates = await until(async () => {
    const path = `/api/projects/gates?state=open&agentId=${agent.id}`;
    const { body } = await first.owner.get<Gate[]>(path);
    return body.length === count ? body : null;
  });
  return waiting.map((one) => ({ ...one, gate: gates.find(({ issue }) => issue?.id === one.issueId)! }));
}

const aRound = async (process: Service) => (await roundsAt(process, 1))[0]!;

/** Runs all rounds, many side by side. */
async function inChunks(process: Service, chunk: (rounds: Round[]) => Promise<void>): Promise<void> {
  for (let done = 0; done < ROUNDS; done += SIDE) await chunk(await roundsAt(process, SIDE));
  await expectInvariants(first);
}

/** One process for each copy of the server: each has its own, unless tools hosts run one for all. */
const copies = () => (first.hosts ? [first] : [first, second]);

/** Returns the calls that reached each copy of the server since the last look. */
const logs = () =>
  Promise.all(
    copies().map(async (service) => {
      const { began } = JSON.parse(await tryOut(service.owner, server, 'log')) as { began: string[] };
      return began;
    }),
  );
const log = async () => (await logs()).flat();

/** An Admin's call to each copy of the server. A server gets its calls in order: what comes after it was sent after it. */
const mark = () =>
  Promise.all(copies().map(({ owner }) => tryOut(owner, server, 'work', { round: 'mark', ms: 0 })));

/** Returns the gates once nothing of their calls is to come, in one read for all; null for one that was deleted. */
const settled = (chunk: Round[]) =>
  until(async () => {
    const { body } = await first.owner.get<Gate[]>(
      `/api/projects/gates?limit=100&agentId=${chunk[0]!.agent.id}`,
    );
    const gates = chunk.map(({ gate }) => body.find(({ id }) => id === gate.id) ?? null);
    return gates.every((gate) => gate === null || isOver(gate)) ? gates : null;
  });

function isOver({ state, answer: given, outcome }: Gate): boolean {
  const isApproved = state === 'answered' && given?.['decision'] === 'approve';
  return state !== 'open' && (!isApproved || outcome !== null);
}

const places = [
  ['with its caller', () => second],
  ['without its caller', () => first],
] as const;

/** Expects that exactly the calls that were approved were made, each once. */
async function expectMade(chunk: Round[], isApproved: (gate: Gate, at: number) => boolean): Promise<void> {
  const gates = await settled(chunk);
  await Promise.all(chunk.map(({ calling }) => calling));
  const approved = chunk.filter((_, at) => isApproved(gates[at]!, at));
  expect(gates.map((gate) => gate!.outcome)).toEqual(
    chunk.map((round) => (approved.includes(round) ? 'ok' : null)),
  );
  expect((await log()).toSorted()).toEqual(approved.map(({ name }) => name).toSorted());
}

describe.each(places)('a call that waits %s', (_, place) => {
  it(
    'is made once or not at all as the one of two answers says that wins',
    () =>
      inChunks(place(), async (chunk) => {
        const answers = await Promise.all(
          chunk.map((round) =>
            Promise.all([
              approving(round),
              answer(second.owner, round.gate, { decision: 'deny' }),
              answer(second.owner, round.gate, approve),
            ]),
          ),
        );
        for (const three of answers)
          expect(three.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
        await expectMade(chunk, (gate) => gate.answer!['decision'] === 'approve');
      }),
    LIMIT_MS,
  );

  it(
    'is made once or not at all as its approval or its expiry wins',
    () =>
      inChunks(place(), async (chunk) => {
        const answers = await Promise.all(
          chunk.map(async (round) => (await Promise.all([approving(round), makeDue(first, round.gate)]))[0]),
        );
        await expectMade(chunk, (gate, at) => {
          const isApproved = answers[at]!.status === 200;
          expect(gate.state).toBe(isApproved ? 'answered' : 'expired');
          return isApproved;
        });
        const waiting = await first.sql(
          `SELECT 1 FROM issues WHERE id = ANY($1::uuid[]) AND status = 'WaitingOnDependency'`,
          [chunk.map(({ issueId }) => issueId)],
        );
        expect(waiting).toEqual([]);
      }),
    LIMIT_MS,
  );

  const agentOf = ([round]: Round[]) => round!.agent;
  /** What forbids the calls of a chunk, once for all or for each issue. */
  const forbidding: Record<string, (chunk: Round[]) => Promise<{ status: number }[]>> = {
    'its issue was deleted': (chunk) =>
      Promise.all(chunk.map((round) => first.owner.delete(`${issueOf(round)}?confirm=true`))),
    'its issue was closed': (chunk) =>
      Promise.all(chunk.map((round) => first.owner.put(issueOf(round), { status: 'Closed' }))),
    'its grant was revoked': async (chunk) => {
      await revoke(second, server, agentOf(chunk));
      return [];
    },
    'its tool was changed': async () => {
      await setHash('changed');
      return [];
    },
    'its agent was disabled': async (chunk) => [
      await second.owner.put(`/api/agents/${agentOf(chunk).id}`, { disabled: true }),
    ],
    'all agents were halted': async () => [await second.owner.put('/api/agents/halt', { halted: true })],
  };

  it.each(Object.entries(forbidding))(
    'is made at most once, and never after %s',
    async (__, forbid) => {
      const [{ hash }] = (await first.sql<{ hash: string }>(HASH, [server.id])) as [{ hash: string }];
      await inChunks(place(), async (chunk) => {
        const forbidden = async () => {
          for (const { status } of await forbid(chunk)) expect(status).toBeLessThan(300);
          await mark();
        };
        await Promise.all([...chunk.map(approving), forbidden()]);
        const ended = await settled(chunk);
        await Promise.all(chunk.map(({ calling }) => calling));
        const calls = await logs();
        for (const began of calls) expect(began.slice(began.indexOf('mark'))).toEqual(['mark']);
        chunk.forEach(({ name }, at) => {
          const made = calls.flat().filter((call) => call === name).length;
          expect(made).toBeLessThanOrEqual(1);
          // A call that has begun may be cancelled with its lease.
          const outcome = ended[at]?.outcome;
          if (outcome) expect(made === 1 ? ['ok', 'cancelled'] : ['refused']).toContain(outcome);
        });
        await setHash(hash);
        await first.owner.put('/api/agents/halt', { halted: false });
      });
    },
    LIMIT_MS,
  );

  /** The commit by which a comparison of the tools withholds one that has changed. */
  const setHash = (hash: string) =>
    first.sql(`UPDATE server_tools SET hash = $2 WHERE server_id = $1 AND name = 'work'`, [server.id, hash]);
  const HASH = `SELECT hash FROM server_tools WHERE server_id = $1 AND name = 'work'`;
});

describe('a call that waits in another process', () => {
  it('is withdrawn where its session cancels it here, and runs nothing', async () => {
    const agent = await asAgent(first);
    await setAsk(first, server, agent);
    const there = agent.at(second);
    const { id, request } = await session(there);
    const calling = request('tools/call', {
      name: `${server.slug}__work`,
      arguments: { round: 'no', ms: 0 },
    });
    const gate = await openGate(first, agent);
    const stop = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    expect((await post(agent, { ...stop, params: { requestId: 'other' } }, headers)).status).toBe(202);
    expect((await readGate(first.owner, gate)).state).toBe('open');
    expect((await post(agent, stop, headers)).status).toBe(202);
    expect((await readGate(first.owner, gate)).state).toBe('withdrawn');
    // After a cancellation there is no response (contract §7.4).
    expect((await calling).message).toEqual({});
    expect((await answer(first.owner, gate, approve)).status).toBe(409);
  });
});

describe('a process that is killed', () => {
  it(
    'while it makes approved calls leaves their outcome unknown, and none is ever repeated',
    async () => {
      for (let done = 0; done < KILLED; done += SIDE) await killDuring(SIDE);
      await expectInvariants(first);
    },
    LIMIT_MS,
  );

  /** Kills a process that makes so many calls at once, all approved. */
  async function killDuring(count: number): Promise<void> {
    const doomed = await first.second({ APPROVAL_WAIT_SECONDS: '600' }, { ownProcess: true });
    // Without `ms` the calls never end.
    const chunk = await roundsAt(doomed, count, {});
    const lost = chunk.map(({ calling }) => calling.catch(() => null));
    await Promise.all(chunk.map(approving));
    const names = new Set(chunk.map(({ name }) => name));
    await until(async () => {
      const { began } = JSON.parse(await tryOut(doomed.owner, server, 'log')) as { began: string[] };
      for (const name of began) names.delete(name);
      return names.size === 0;
    });
    await doomed.kill();
    expect(await Promise.all(lost)).toEqual(chunk.map(() => null));
    for (const { gate } of chunk) expect((await readGate(first.owner, gate)).outcome).toBeNull();
    await makeOld(chunk);
    const gates = await settled(chunk);
    for (const gate of gates) expect(gate).toMatchObject({ state: 'answered', outcome: 'unknown' });
    expect(await log()).toEqual([]);
    const [{ agent }] = chunk as [Round];
    const leases = chunk.map(({ issueId, token }) => ({ issueId, token }));
    const beat = await sendHeartbeat(agent, { leases, worker: 'runner' });
    const answers = beat.work!.flatMap((item) => item.answers);
    expect(new Set(answers.map(({ gateId }) => gateId))).toEqual(new Set(chunk.map(({ gate }) => gate.id)));
    for (const one of answers)
      expect(one).toMatchObject({ decision: 'approve', outcome: 'unknown', result: { isError: true } });
  }

  it(
    'while the call waits leaves it to the others, which make it once it is approved',
    async () => {
      const doomed = await first.second({ APPROVAL_WAIT_SECONDS: '600' }, { ownProcess: true });
      const round = await aRoundAt(doomed);
      await doomed.kill();
      await first.sql(`UPDATE tool_approvals SET wait_until = now() WHERE gate_id = $1`, [round.gate.id]);
      await until(async () => (await readIssue(first.owner, round.issue)).status === 'WaitingOnDependency');
      await answer(first.owner, round.gate, approve);
      expect((await executedGate(first, round.gate)).outcome).toBe('ok');
      expect(await log()).toEqual([round.name]);
    },
    LIMIT_MS,
  );

  it(
    'after the approval and before its call leaves it to the others as well',
    async () => {
      const round = await aRoundAt(second);
      // As if its process had died in this moment: it does not see the answer any more.
      await first.sql(`UPDATE tool_approvals SET phase = 'parked' WHERE gate_id = $1`, [round.gate.id]);
      await answer(first.owner, round.gate, approve);
      expect((await executedGate(first, round.gate)).outcome).toBe('ok');
      expect(codeOf(await round.calling)).toBe('approval_pending');
      expect(await log()).toEqual([round.name]);
    },
    LIMIT_MS,
  );

  async function aRoundAt(process: Service): Promise<Round> {
    const round = await aRound(process);
    round.calling.catch(() => undefined);
    return round;
  }

  /** As if the process had not renewed its executions for a while. */
  const makeOld = (chunk: Round[]) =>
    first.sql(
      `UPDATE tool_approvals SET renewed_at = now() - interval '1 minute' WHERE gate_id = ANY($1::uuid[])`,
      [chunk.map(({ gate }) => gate.id)],
    );
});
