// Compares a young journal (200,000 rows, one month) with one that has grown for two years (--rows, 20,000,000 by default).
import { randomUUID } from 'node:crypto';
import { ensureBuilt, ensureInstalled } from '../scripts/ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
const { openArena } = await import('./arena.mjs');
const { growInto, prepareRows } = await import('./months/rows.mjs');
const { measureAll } = await import('./months/measure.mjs');

const YOUNG = 200_000;
const rows = Number(process.argv[process.argv.indexOf('--rows') + 1]) || 20_000_000;

const arena = await openArena({ issues: 1 });
try {
  const project = randomUUID();
  await arena.client.query(`INSERT INTO projects (id, key, name) VALUES ($1, 'MONTHS', 'Months')`, [project]);
  await prepareRows(arena.client);
  const young = await growInto(arena.client, { project, rows: YOUNG, months: 1 });
  console.log(`${YOUNG} rows in 1 month: written in ${young.seconds.toFixed(0)} s`);
  const before = await measureAll(arena, young);
  const grown = await growInto(arena.client, { project, rows, months: 24 });
  console.log(`${rows} rows in 24 months: written in ${grown.seconds.toFixed(0)} s, ${grown.size}`);
  const after = await measureAll(arena, grown);
  console.log(
    `\n${'request'.padEnd(34)}${'young ms'.padStart(10)}${'grown ms'.padStart(10)}${'ratio'.padStart(8)}`,
  );
  for (const [name, ms] of Object.entries(after))
    console.log(
      name.padEnd(34) +
        before[name].toFixed(2).padStart(10) +
        ms.toFixed(2).padStart(10) +
        (ms / before[name]).toFixed(2).padStart(8),
    );
} finally {
  await arena.close();
}
