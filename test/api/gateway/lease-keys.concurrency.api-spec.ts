import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { startService, type Service } from '../../support/service.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { CallWitness } from './call-witness.js';
import { aLeaseLane, leaseEnds, type LeaseLane } from './lease-ends.js';
import { installed, type Installed } from './mcp-setting.js';
import { modern, type WireAnswer } from './wire-call.js';

const isFull = process.env['TEST_SIZE'] === 'full';
/** Rounds of each of nine ways to end a lease, per part: 10,080 in all in the full size. */
const ROUNDS = isFull ? 140 : 3;
const PARTS = Array.from({ length: isFull ? 8 : 1 }, (_, n) => n + 1);
/** Leases side by side, and callers per lease and process. */
const LANES = isFull ? 12 : 6;
const CALLERS = 2;
/** A halt ends the calls of all leases, so each round of it costs the callers of all. */
const HALTED_LANES = 3;

/** A round takes about 100 ms; a loaded machine gets ten times that. */
const LIMIT_MS = 60_000 + ROUNDS * 8 * 1_000;

const catalog = new LocalCatalog().stdio('call-log', ['call-log.mjs']);
let services: Service[];
let server: Installed;
let project: Project;
let lanes: LeaseLane[];
let witnesses: CallWitness[];
beforeAll(async () => {
  // One call at a time: the others wait in the queue, between their permission and their start.
  const settings = { CATALOG_DIRS: catalog.folder, MCP_CALLS_PER_PROCESS: '1' };
  const first = await startService({ settings });
  services = [first, await first.second()];
  server = await installed(first, 'call-log');
  project = await aProject(first.owner);
  lanes = await Promise.all(Array.from({ length: LANES }, () => aLeaseLane(first, server, project)));
  witnesses = services.map((service) => new CallWitness(service, server));
}, 120_000);
afterAll(async () => {
  await services?.[0]!.remove();
  catalog.remove();
});

/** The calls of one lease from before its end until all are refused. */
interface Round {
  name: string;
  isEnding: boolean;
  afterFirst: Promise<unknown>;
  refused: Promise<unknown>;
}

let rounds = 0;

function aRound({ holder }: LeaseLane, way: string): Round {
  const round = { name: `${(rounds += 1)}: ${way}`, isEnding: false } as Round;
  const callers = services.flatMap((service) =>
    Array.from({ length: CALLERS }, () => callUntilRefused(holder.caller.at(service), round)),
  );
  round.afterFirst = Promise.race(callers.map(({ afterFirst }) => afterFirst));
  round.refused = Promise.all(callers.map(({ refused }) => refused));
  // The error reaches the await of the round; until then it must not end the test run.
  round.refused.catch(() => undefined);
  return round;
}

/** Calls again and again until a call is refused. */
function callUntilRefused(
  caller: Caller,
  round: Round,
): { afterFirst: Promise<void>; refused: Promise<void> } {
  let begun!: () => void;
  const afterFirst = new Promise<void>((resolve) => (begun = resolve));
  const refused = (async () => {
    for (;;) {
      const answer = await call(caller, round.name);
      if (isRefused(answer)) {
        if (!round.isEnding) throw new Error(`Refused before the end: ${answer.status} ${answer.text}`);
        return begun();
      }
      begun();
    }
  })();
  return { afterFirst: Promise.race([afterFirst, refused]), refused };
}

const call = (caller: Caller, round: string) =>
  modern(caller, 'tools/call', { name: `${server.slug}__work`, arguments: { round, ms: 1 } });

function isRefused({ status, message }: WireAnswer): boolean {
  return (
    status !== 200 || (message.result as unknown as { isError?: boolean } | undefined)?.isError !== undefined
  );
}

/** Returns which calls of the rounds, whose leases have ended by now, reach a server from now on. */
async function calledAfter(ended: Round[]): Promise<string[]> {
  const marks = await Promise.all(witnesses.map((witness) => witness.mark()));
  await Promise.all(ended.map(({ refused }) => refused));
  await Promise.all(witnesses.map((witness) => witness.look()));
  return ended
    .map(({ name }) => name)
    .filter((name) => witnesses.some((witness, at) => witness.sawAfter(marks[at]!, name)));
}

const reached = () => witnesses.reduce((sum, witness) => sum + witness.reached, 0);
const personAt = (count: number): Caller => services[0]!.owner.at(services[count % services.length]!);

describe.each(PARTS)('calls on their way at the end of a lease, part %i', () => {
  it(
    `do not begin afterwards, in ${ROUNDS} rounds of each way with ${LANES} leases and two processes`,
    async () => {
      const ways = Array.from({ length: ROUNDS }, () => Object.keys(leaseEnds)).flat();
      const late: string[] = [];
      const before = reached();
      const end = async (lane: LeaseLane, way: string) => {
        const round = aRound(lane, way);
        await round.afterFirst;
        round.isEnding = true;
        lane.person = personAt(ways.length);
        const renew = await leaseEnds[way]!(lane);
        late.push(...(await calledAfter([round])));
        lane.holder = await renew();
      };
      const goOn = async (lane: LeaseLane) => {
        for (let way = ways.pop(); way; way = ways.pop()) await end(lane, way);
      };
      // After an error no lane begins another round.
      await Promise.all(lanes.map((lane) => goOn(lane).finally(() => ways.splice(0))));
      expect(late).toEqual([]);
      expect(reached() - before).toBeGreaterThanOrEqual(ROUNDS * Object.keys(leaseEnds).length);
    },
    LIMIT_MS,
  );

  it(
    `do not begin after a halt, in ${ROUNDS} rounds with ${HALTED_LANES} leases and two processes`,
    async () => {
      const late: string[] = [];
      const before = reached();
      for (let n = 0; n < ROUNDS; n += 1) {
        const running = lanes.slice(0, HALTED_LANES).map((lane) => aRound(lane, 'halt'));
        await Promise.race(running.map(({ afterFirst }) => afterFirst));
        for (const round of running) round.isEnding = true;
        expect((await personAt(n).put('/api/agents/halt', { halted: true })).status).toBe(200);
        late.push(...(await calledAfter(running)));
        await personAt(n + 1).put('/api/agents/halt', { halted: false });
      }
      expect(late).toEqual([]);
      expect(reached() - before).toBeGreaterThanOrEqual(ROUNDS);
    },
    LIMIT_MS,
  );
});
