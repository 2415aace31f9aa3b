// Compares the service with its ceiling (see README.md).
import { ensureBuilt, ensureInstalled } from '../scripts/ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
const { openArena } = await import('./arena.mjs');
const { cases } = await import('./cases.mjs');
const { measure } = await import('./measure.mjs');
const { growth } = await import('./growth.mjs');
const { release } = await import('./release.mjs');

const ROUNDS = Number(option('rounds')) || 5;
const words = process.argv
  .slice(2)
  .filter((word, at, all) => !word.startsWith('--') && !all[at - 1]?.startsWith('--'));
const wanted = (name) => words.length === 0 || words.includes(name);

const processes = Number(option('processes')) || 1;
const arena = await openArena({ issues: 100_000, processes });
try {
  console.log(
    `\n${'case'.padEnd(16)}${'service/s'.padStart(11)}${'ceiling/s'.padStart(11)}${'ratio'.padStart(8)}${'cpu ms'.padStart(16)}${'db ms'.padStart(16)}`,
  );
  for (const one of cases.filter(({ name }) => wanted(name))) {
    const samples = { service: [], ceiling: [] };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const side of round % 2 === 0 ? ['service', 'ceiling'] : ['ceiling', 'service'])
        samples[side].push(await measure(arena, arena[side], one));
    tell(one.name, samples);
  }
  if (wanted('release')) await release(arena);
  if (wanted('growth')) await growth(arena);
} finally {
  await arena.close();
}
if (wanted('mcp')) await import('./mcp.mjs');

function option(name) {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1];
}

function tell(name, { service, ceiling }) {
  const rate = (samples) => median(samples.map(({ perSecond }) => perSecond));
  const cpu = (samples) => median(samples.map(({ cpuMs }) => cpuMs)).toFixed(2);
  const database = (samples) => median(samples.map(({ databaseMs }) => databaseMs)).toFixed(2);
  const [ours, theirs] = [rate(service), rate(ceiling)];
  const faults = [...service, ...ceiling].reduce((sum, sample) => sum + sample.faults, 0);
  console.log(
    name.padEnd(16) +
      ours.toFixed(0).padStart(11) +
      theirs.toFixed(0).padStart(11) +
      (ours / theirs).toFixed(2).padStart(8) +
      `${cpu(service)} / ${cpu(ceiling)}`.padStart(16) +
      `${database(service)} / ${database(ceiling)}`.padStart(16) +
      (faults > 0 ? `   ${faults} answers were not 2xx` : ''),
  );
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
