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
import { take } from './lease-setting.js';
import { installed, revoke, type Installed } from './mcp-setting.js';

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 2_000 : 1;
const LIMIT_MS = 120_000 + ROUNDS * 5_000;

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

/** An agent whose call waits: in the second process with its caller, in the first one without. */
async function aRound(process: Service): Promise<Round> {
  const agent = await asAgent(first);
  await setAsk(first, server, agent);
  const issue = await anIssue(first.owner, project, { assignedAgentId: agent.id });
  const holder = await take(agent, first, issue);
  const name = `round ${(rounds += 1)}`;
  const calling = callOf(holder.caller.at(process), server, 'work', { round: name, ms: 0 });
  if (process === first) expect(codeOf(await calling)).toBe('approval_pending');
  const gate = await openGate(first, agent);
  return { agent, ...holder, name, gate, calling };
}

/** Returns the calls that reached the server of each process since the last look. */
const logs = () =>
  Promise.all(
    [first, second].map(async (service) => {
      const { began } = JSON.parse(await tryOut(service.owner, server, 'log')) as { began: string[] };
      return began;
    }),
  );
const log = async () => (await logs()).flat();

/** An Admin's call to both servers. A server gets its calls in order: what comes after it was sent after it. */
const mark = () =>
  Promise.all([first, second].map(({ owner }) => tryOut(owner, server, 'work', { round: 'mark', ms: 0 })));

/** Returns the gate once nothing of its call is to come; null where it was deleted. */
const settled = ({ gate: { id } }: Round) =>
  until(async () => {
    const { status, body } = await first.owner.get<Gate>(`/api/projects/gates/${id}`);
    if (status === 404) return { gate: null };
    const isApproved = body.state === 'answered' && body.answer?.['decision'] === 'approve';
    const isOver = body.state !== 'open' && (!isApproved || body.outcome !== null);
    return isOver ? { gate: body } : null;
  });

const places = [
  ['with its caller', () => second],
  ['without its caller', () => first],
] as const;

describe.each(places)('a call that waits %s', (_, place) => {
  it(
    'is made once or not at all as the one of two answers says that wins',
    async () => {
      for (let n = 0; n < ROUNDS; n += 1) {
        const round = await aRound(place());
        const answers = await Promise.all([
          approving(round),
          answer(second.owner, round.gate, { decision: 'deny' }),
          answer(second.owner, round.gate, approve),
        ]);
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
        const { gate } = await settled(round);
        await round.calling;
        const isApproved = gate!.answer!['decision'] === 'approve';
        expect([gate!.outcome, await log()]).toEqual(isApproved ? ['ok', [round.name]] : [null, []]);
      }
      await expectInvariants(first);
    },
    LIMIT_MS,
  );

  it(
    'is made once or not at all as its approval or its expiry wins',
    async () => {
      for (let n = 0; n < ROUNDS; n += 1) {
        const round = await aRound(place());
        const [answered] = await Promise.all([approving(round), makeDue(first, round.gate)]);
        const { gate } = await settled(round);
        await round.calling;
        const isApproved = answered.status === 200;
        expect(gate!.state).toBe(isApproved ? 'answered' : 'expired');
        expect([gate!.outcome, await log()]).toEqual(isApproved ? ['ok', [round.name]] : [null, []]);
        expect((await readIssue(first.owner, round.issue)).status).not.toBe('WaitingOnDependency');
      }
      await expectInvariants(first);
    },
    LIMIT_MS,
  );

  const forbidding: Record<string, Contender> = {
    'its issue was deleted': (round) => first.owner.delete(`${issueOf(round)}?confirm=true`),
    'its issue was closed': (round) => first.owner.put(issueOf(round), { status: 'Closed' }),
    'its grant was revoked': async ({ agent }) => {
      await revoke(second, server, agent);
      return { status: 200 };
    },
    'its tool was changed': async () => {
      await setHash('changed');
      return { status: 200 };
    },
    'its agent was disabled': ({ agent }) => second.owner.put(`/api/agents/${agent.id}`, { disabled: true }),
    'all agents were halted': () => second.owner.put('/api/agents/halt', { halted: true }),
  };

  it.each(Object.entries(forbidding))(
    'is made at most once, and never after %s',
    async (__, forbid) => {
      const [{ hash }] = (await first.sql<{ hash: string }>(HASH, [server.id])) as [{ hash: string }];
      for (let n = 0; n < ROUNDS; n += 1) {
        const round = await aRound(place());
        const forbidden = async () => {
          expect((await forbid(round)).status).toBeLessThan(300);
          await mark();
        };
        await Promise.all([approving(round), forbidden()]);
        const { gate } = await settled(round);
        await round.calling;
        const calls = await logs();
        for (const began of calls) expect(began.slice(began.indexOf('mark'))).toEqual(['mark']);
        const made = calls.flat().filter((name) => name === round.name).length;
        expect(made).toBeLessThanOrEqual(1);
        // A call that has begun may be cancelled with its lease.
        if (gate?.outcome) expect(made === 1 ? ['ok', 'cancelled'] : ['refused']).toContain(gate.outcome);
        await setHash(hash);
        await first.owner.put('/api/agents/halt', { halted: false });
      }
      await expectInvariants(first);
    },
    LIMIT_MS,
  );

  /** The commit by which a comparison of the tools withholds one that has changed. */
  const setHash = (hash: string) =>
    first.sql(`UPDATE server_tools SET hash = $2 WHERE server_id = $1 AND name = 'work'`, [server.id, hash]);
  const HASH = `SELECT hash FROM server_tools WHERE server_id = $1 AND name = 'work'`;
});

describe('a process that is killed', () => {
  it(
    'while it makes an approved call leaves the outcome unknown, and the call is never repeated',
    async () => {
      const agent = await asAgent(first);
      await setAsk(first, server, agent);
      const issue = await anIssue(first.owner, project, { assignedAgentId: agent.id });
      const holder = await take(agent, first, issue);
      const doomed = await first.second({ APPROVAL_WAIT_SECONDS: '600' });
      // Without `ms` the call never ends.
      const calling = callOf(holder.caller.at(doomed), server, 'work', { round: 'doomed' }).catch(() => null);
      const gate = await openGate(first, agent);
      await answer(first.owner, gate, approve);
      await until(async () => {
        const { began } = JSON.parse(await tryOut(doomed.owner, server, 'log')) as { began: string[] };
        return began.includes('doomed');
      });
      await doomed.kill();
      expect(await calling).toBeNull();
      expect((await readGate(first.owner, gate)).outcome).toBeNull();
      await makeOld(gate);
      expect(await executedGate(first, gate)).toMatchObject({ state: 'answered', outcome: 'unknown' });
      expect(await log()).toEqual([]);
      const beat = await sendHeartbeat(agent, {
        leases: [{ issueId: issue.id, token: holder.token }],
        worker: 'runner',
      });
      expect(beat.work!.flatMap(({ answers }) => answers)).toMatchObject([
        { gateId: gate.id, decision: 'approve', outcome: 'unknown', result: { isError: true } },
      ]);
    },
    LIMIT_MS,
  );

  it(
    'while the call waits leaves it to the others, which make it once it is approved',
    async () => {
      const doomed = await first.second({ APPROVAL_WAIT_SECONDS: '600' });
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

  /** As if the process had not renewed its execution for a while. */
  const makeOld = (gate: { id: string }) =>
    first.sql(`UPDATE tool_approvals SET renewed_at = now() - interval '1 minute' WHERE gate_id = $1`, [
      gate.id,
    ]);
});
