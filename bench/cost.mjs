// What an operation costs the service and its database (README.md beside this file; docs/scaling.md calculates with it).
import { ensureBuilt, ensureInstalled } from '../scripts/ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
const { openArena } = await import('./arena.mjs');
const { cases } = await import('./cases.mjs');
const { load } = await import('./load.mjs');
const { postmasterOf, processorSeconds } = await import('./mcp/processor-time.mjs');

const CONNECTIONS = 16;
const SECONDS = 5;

const arena = await openArena({ issues: 100_000 });
try {
  const postmaster = await postmasterOf(arena.client);
  console.log(
    `\n${'operation'.padEnd(16)}${'service ms'.padStart(12)}${'database ms'.padStart(13)}${'transactions'.padStart(14)}${'bytes out'.padStart(11)}`,
  );
  for (const one of cases) {
    await one.prepare?.(arena);
    // The first requests compile what the others use.
    await run(one, 3);
    await one.prepare?.(arena);
    const before = await figures(postmaster);
    const { ok, bytes } = await run(one, SECONDS);
    const after = await figures(postmaster);
    const each = (name, digits) => ((after[name] - before[name]) / ok).toFixed(digits);
    console.log(
      one.name.padEnd(16) +
        each('service', 2).padStart(12) +
        each('database', 2).padStart(13) +
        each('transactions', 1).padStart(14) +
        String(Math.round(bytes / ok)).padStart(11),
    );
  }
} finally {
  await arena.close();
}

function run(one, seconds) {
  const requestsOf = (connection) => one.requests(arena, connection);
  return load({ url: arena.service.url, connections: CONNECTIONS, seconds, requestsOf });
}

/** Milliseconds of processor time and transactions so far. */
async function figures(postmaster) {
  const { rows } = await arena.client.query(
    'SELECT xact_commit + xact_rollback AS transactions FROM pg_stat_database WHERE datname = current_database()',
  );
  return {
    service: processorSeconds(arena.service.child.pid).own * 1000,
    database: processorSeconds(postmaster).tree * 1000,
    transactions: Number(rows[0].transactions),
  };
}
