import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject } from '../../support/builders.js';
import { HoldingProxy } from '../../support/holding-proxy.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { aLeaseLane, leaseEnds, setRole, type LeaseLane } from './lease-ends.js';
import { CallClock, callUntilRefused, now, type Round } from './lease-race.js';
import { installed, type Installed } from './mcp-setting.js';

const isFull = process.env['TEST_SIZE'] === 'full';
/** Leases that end at the same time. Each ends in its own way, and in the next way the next time. */
const LANES = isFull ? 24 : 12;
const ways = Object.keys(leaseEnds);
/** In the full size 10,176 leases end one by one, and 320 times all of them at once. */
const PARTS = Array.from({ length: isFull ? 8 : 1 }, (_, n) => n + 1);
const TURNS = isFull ? 53 : 3;
const TIMES = isFull ? 20 : 2;
/** Callers per lease at the process whose calls are held. */
const CALLERS = 2;

/** A turn takes one or two seconds; a loaded machine gets five times that. */
const LIMIT_MS = 60_000 + TURNS * 10_000;

/** The statement that decides whether a call may begin. */
const READ = 'lease-standings';

const catalog = new LocalCatalog().stdio('call-clock', ['call-clock.mjs']);
let first: Service;
let second: Service;
let proxy: HoldingProxy;
let server: Installed;
let lanes: LeaseLane[];
let clocks: CallClock[];
beforeAll(async () => {
  // An end that waits keeps its connection to the database.
  const pool = { DATABASE_POOL_SIZE: String(LANES + 8) };
  const calls = { MCP_CALLS_PER_PROCESS: '100', MAX_ATTEMPTS: '1000' };
  first = await startService({ settings: { CATALOG_DIRS: catalog.folder, ...pool, ...calls } });
  proxy = await HoldingProxy.before(first.databaseUrl);
  const held = { DATABASE_URL: proxy.url, DATABASE_PREPARED: 'on' };
  // The process that sends a call to its server decides: a tools host for both, where there are any.
  if (first.hosts) await first.restartHosts(held);
  second = await first.second(first.hosts ? {} : held);
  server = await installed(first, 'call-clock');
  // In a project of its own an end waits for calls alone, and never behind another end that locks the project.
  const projects = Array.from({ length: LANES }, () => aProject(first.owner, { visibility: 'members' }));
  lanes = await Promise.all(projects.map(async (project) => aLeaseLane(first, server, await project)));
  clocks = [first, second].map((service) => new CallClock(service, server, first.hosts));
  // The first calls after the start of a server take another way, on which they read their right once more.
  await Promise.all(clocks.map((clock) => clock.look()));
}, 120_000);
afterAll(async () => {
  proxy?.close();
  await first?.remove();
  catalog.remove();
});

/**
 * Lets calls of all leases be on their way while `end` ends these: at the first process, which ends them, as they come, and
 * at the second between the moment at which it has read whether the lease lives and the moment at which it knows. Tools
 * hosts hold the calls of both.
 * @param requests how many requests end them
 * @returns the marks of the calls that were sent to the server after the end of their lease
 */
async function race(
  names: string[],
  end: (rounds: Round[]) => Promise<unknown>,
  requests = names.length,
): Promise<string[]> {
  const rounds = names.map((mark) => ({ mark, isEnding: false, endedAt: Infinity }));
  const callers = first.hosts ? await begunAtFirst(rounds) : [];
  // One call that is held makes all others wait, so that these begin together.
  const held = proxy.next(READ);
  callers.push(...callsOfAll(second, rounds, CALLERS));
  // A call that is refused before the end fails the race at once.
  await Promise.race([held, Promise.all(callers)]);
  await clocks[1]!.untilUnderWay(callers.length);
  await proxy.next(READ);
  callers.push(...callsOfAll(second, rounds, 1));
  await clocks[1]!.untilUnderWay(callers.length);
  for (const round of rounds) round.isEnding = true;
  callers.push(...callsOfAll(first, rounds, 1));
  const ended = end(rounds);
  await untilEndedOrWaiting(rounds, requests);
  // Those that came last look at their leases while the ends that have waited are being committed.
  await proxy.next(READ);
  await untilEndedOrWaiting(rounds, requests);
  proxy.release();
  await Promise.all([ended, ...callers]);
  await Promise.all(clocks.map((clock) => clock.look()));
  return late(rounds);
}

/** Begins calls at the first process, which a tools host would hold as well, and waits until each lease has made one. */
async function begunAtFirst(rounds: Round[]): Promise<Promise<void>[]> {
  const callers = callsOfAll(first, rounds, 1);
  const made = () => clocks[0]!.calls.map(({ mark }) => mark);
  await until(async () => {
    await clocks[0]!.look();
    return rounds.every(({ mark }) => made().includes(mark));
  });
  return callers;
}

const callsOfAll = (service: Service, rounds: Round[], count: number) =>
  lanes.flatMap(({ holder }, at) =>
    Array.from({ length: count }, () => callUntilRefused(holder, { service, server, round: rounds[at]! })),
  );

/** Waits until each request that ends leases is confirmed, or waits for a call that may just begin. */
async function untilEndedOrWaiting(rounds: Round[], requests: number): Promise<void> {
  await until(async () => {
    const [row] = await first.sql<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    waits += row!.count;
    return rounds.filter(({ endedAt }) => Number.isFinite(endedAt)).length + row!.count >= requests;
  });
  const moments = rounds.map(({ endedAt }) => endedAt).filter(Number.isFinite);
  // What the second process sends from here on is known to be sent after the ends that have been confirmed.
  if (moments.length > 0) await clocks[1]!.passes(Math.max(...moments));
}

/** How often an end waited for calls. */
let waits = 0;

function late(rounds: Round[]): string[] {
  const ends = new Map(rounds.map(({ mark, endedAt }) => [mark, endedAt]));
  const calls = clocks.flatMap((clock) => clock.calls.splice(0));
  for (const { mark } of rounds) expect(calls.map((call) => call.mark)).toContain(mark);
  return calls.filter(({ mark, sentAfter }) => sentAfter > ends.get(mark)!).map(({ mark }) => mark);
}

const halt = (halted: boolean) => first.owner.put('/api/agents/halt', { halted });
const setVisibility = ({ project }: LeaseLane, visibility: 'open' | 'members') =>
  first.owner.put(`/api/projects/${project.id}`, { visibility });

/** What ends the calls of all leases at once, by one request or by one for each of them. */
const endsOfAll = {
  'a halt': {
    begin: () => Promise.resolve(),
    requests: 1,
    end: async (rounds: Round[]) => {
      expect((await halt(true)).status).toBe(200);
      for (const round of rounds) round.endedAt = now();
    },
    goBack: () => halt(false),
  },
  'their projects are closed to their agents': {
    begin: () =>
      onAll(async (lane) => {
        await setVisibility(lane, 'open');
        await setRole(lane, [lane.agent], null);
      }),
    requests: LANES,
    end: (rounds: Round[]) =>
      onAll(async (lane, at) => {
        expect((await setVisibility(lane, 'members')).status).toBe(200);
        rounds[at]!.endedAt = now();
      }),
    goBack: () => onAll((lane) => setRole(lane, [lane.agent], 'Editor')),
  },
};

const onAll = (work: (lane: LeaseLane, at: number) => Promise<void>) => Promise.all(lanes.map(work));

describe.each(PARTS)('calls on their way at the end of a lease, part %i', () => {
  it(
    `do not begin afterwards, in ${TURNS} turns of ${LANES} leases with two processes`,
    async () => {
      waits = 0;
      for (let turn = 0; turn < TURNS; turn += 1) {
        const names = lanes.map((_, at) => ways[(turn * LANES + at) % ways.length]!);
        let renewals: (() => Promise<void>)[] = [];
        const found = await race(
          names.map((name, at) => `${name} (${turn}.${at})`),
          async (rounds) => {
            renewals = await Promise.all(
              lanes.map(async (lane, at) => {
                const renew = await leaseEnds[names[at]!]!(lane);
                rounds[at]!.endedAt = now();
                return async () => void (lane.holder = await renew());
              }),
            );
          },
        );
        expect(found).toEqual([]);
        await Promise.all(renewals.map((renew) => renew()));
      }
      expect(waits).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );

  it.each(Object.entries(endsOfAll))(
    `do not begin after %s, ${TIMES} times with ${LANES} leases and two processes`,
    async (name, { begin, requests, end, goBack }) => {
      for (let turn = 0; turn < TIMES; turn += 1) {
        await begin();
        const marks = lanes.map((_, at) => `${name} (${turn}.${at})`);
        expect(await race(marks, end, requests)).toEqual([]);
        await goBack();
      }
    },
    LIMIT_MS,
  );
});
