// Compares a young journal (200,000 rows, one month) with one that has grown for two years (--rows, 20,000,000 by default).
import { randomUUID } from 'node:crypto';
import { ensureBuilt, ensureInstalled } from '../scripts/ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
const { openArena } = await import('./arena.mjs');
const { measureArchive } = await import('./months/archive.mjs');
const { measureBoth } = await import('./months/measure.mjs');
const { growInto, prepareRows } = await import('./months/rows.mjs');

const YOUNG = 200_000;
const rows = Number(process.argv[process.argv.indexOf('--rows') + 1]) || 20_000_000;

const arenas = [];
try {
  for (const size of [
    { rows: YOUNG, months: 1 },
    { rows, months: 24 },
  ])
    arenas.push(await anArena(size));
  console.log(
    `\n${'request'.padEnd(34)}${'young ms'.padStart(10)}${'grown ms'.padStart(10)}${'ratio'.padStart(8)}`,
  );
  for await (const { name, medians } of measureBoth(arenas)) {
    const [young, grown] = medians;
    console.log(
      name.padEnd(34) +
        young.toFixed(2).padStart(10) +
        grown.toFixed(2).padStart(10) +
        (grown / young).toFixed(2).padStart(8),
    );
  }
  await measureArchive(arenas[1], arenas[1].months[6]);
} finally {
  for (const arena of arenas) await arena.close();
}

async function anArena({ rows: count, months }) {
  const project = randomUUID();
  let grown = null;
  const arena = await openArena({
    issues: 1,
    database: { max_wal_size: '16GB', checkpoint_timeout: '1h' },
    // Before the service starts, which would follow each row as news.
    fill: async (client) => {
      await client.query(`INSERT INTO projects (id, key, name) VALUES ($1, 'MONTHS', 'Months')`, [project]);
      await prepareRows(client);
      grown = await growInto(client, { project, rows: count, months });
    },
  });
  console.log(`${count} rows in ${months} months: written in ${grown.seconds.toFixed(0)} s, ${grown.size}`);
  return Object.assign(arena, { issues: grown.issues, months: grown.months });
}
