import { processorSeconds } from './processor-time.mjs';
import { WireSession } from './wire.mjs';

const ROUNDS = 5;
const SECONDS = 2;
/** Until then V8 still compiles what a call runs, which would be counted against the side with more code. */
const WARM_SECONDS = 5;
/** Connections, and the sessions that they share. */
const LOADS = [
  { name: '1 session', connections: 1, sessions: 1 },
  { name: '16 sessions', connections: 16, sessions: 16 },
  { name: '64 in flight', connections: 64, sessions: 16 },
];

/** `echo` on every side at each load, the rounds alternating: medians, and processor time a call. */
export async function echo(sides) {
  console.log(
    `\n${'echo'.padEnd(14)}${'side'.padEnd(12)}${'calls/s'.padStart(9)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}${'cpu ms'.padStart(9)}${'with children'.padStart(15)}`,
  );
  const slower = [];
  for (const side of sides) await run(side, LOADS[1], WARM_SECONDS);
  for (const load of LOADS) {
    const samples = new Map(sides.map(({ name }) => [name, []]));
    for (const side of sides) await run(side, load, 0.5);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const side of round % 2 === 0 ? sides : sides.toReversed())
        samples.get(side.name).push(await run(side, load, SECONDS));
    const rates = sides.map(({ name }) => tell(load.name, name, samples.get(name)));
    const [ours, ...others] = rates;
    const peers = rates.filter((_, at) => sides[at].keys[0] === null);
    const shares = others.map((rate, at) => `${(ours / rate).toFixed(2)} of ${sides[at + 1].name}`);
    console.log(`${''.padEnd(26)}${shares.join(', ')}`);
    if (ours < Math.max(...peers) * 0.8) slower.push(load.name);
  }
  return slower;
}

async function run({ url, keys, pid, tool }, { connections, sessions }, seconds) {
  const begun = await Promise.all(
    Array.from({ length: sessions }, (_, at) => new WireSession(url, keys[at % keys.length]).begin()),
  );
  const all = Array.from({ length: connections }, (_, at) =>
    at < sessions ? begun[at] : begun[at % sessions].twin(),
  );
  const times = [];
  const before = processorSeconds(pid);
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    all.map(async (session, at) => {
      for (let n = 0; performance.now() < end; n += 1) {
        const message = `message ${at}-${n}`;
        const sent = performance.now();
        const text = await session.request('tools/call', { name: tool, arguments: { message } });
        times.push(performance.now() - sent);
        if (!text.includes(message))
          throw new Error(`another answer than was asked for: ${text.slice(0, 300)}`);
      }
    }),
  );
  const elapsed = (performance.now() - start) / 1000;
  const after = processorSeconds(pid);
  await Promise.all(all.map((session) => session.close()));
  return {
    rate: times.length / elapsed,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    own: ((after.own - before.own) / times.length) * 1000,
    tree: ((after.tree - before.tree) / times.length) * 1000,
  };
}

function tell(load, side, samples) {
  const median = (of) => percentile(samples.map(of), 0.5);
  const rate = median((sample) => sample.rate);
  const cells = [
    ['p50', 2],
    ['p99', 2],
    ['own', 3],
  ].map(([name, digits]) =>
    median((sample) => sample[name])
      .toFixed(digits)
      .padStart(9),
  );
  console.log(
    `${load.padEnd(14)}${side.padEnd(12)}${rate.toFixed(0).padStart(9)}${cells.join('')}${median(
      ({ tree }) => tree,
    )
      .toFixed(3)
      .padStart(15)}`,
  );
  return rate;
}

function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
}
