// What an operation costs the service and its database (README.md beside this file; docs/scaling.md calculates with it):
// node bench/cost.mjs [one|roles] [issues] [calls], the last for tool calls alone
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled } from '../scripts/ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
const { openArena, TOPOLOGIES } = await import('./arena.mjs');
const { cases } = await import('./cases.mjs');
const { load } = await import('./load.mjs');
const { postmasterOf, processorSeconds } = await import('./mcp/processor-time.mjs');
const { toolCalls, writeToolServer } = await import('./tool-call.mjs');

const CONNECTIONS = 16;
const SECONDS = 5;
const [topology = 'one', issues = '100000', only = ''] = process.argv.slice(2);
const roles = [...new Set(TOPOLOGIES[topology])];

const catalog = mkdtempSync(join(tmpdir(), 'awp-bench-catalog-'));
writeToolServer(catalog);
const arena = await openArena({ issues: Number(issues), topology, catalog });
try {
  const postmaster = await postmasterOf(arena.client);
  const columns = [...roles, 'database'].map((name) => `${name} ms`);
  console.log(`\n${row('operation', [...columns, 'transactions', 'bytes out'])}`);
  for (const one of [...(only === 'calls' ? [] : cases), ...(await toolCalls(arena))]) {
    await one.prepare?.(arena);
    // The first requests compile what the others use.
    await run(one, 3);
    await one.prepare?.(arena);
    const before = await figures(postmaster);
    const { ok, faults, bytes } = await run(one, SECONDS);
    const after = await figures(postmaster);
    const each = (name, digits) => ((after[name] - before[name]) / ok).toFixed(digits);
    const times = [...roles, 'database'].map((name) => each(name, 2));
    const others = [each('transactions', 1), String(Math.round(bytes / ok))];
    console.log(row(one.name, [...times, ...others]) + (faults > 0 ? `   ${faults} were not 2xx` : ''));
  }
} finally {
  await arena.close();
  rmSync(catalog, { recursive: true });
}

function row(name, cells) {
  return name.padEnd(16) + cells.map((cell) => cell.padStart(14)).join('');
}

/** Each connection has one of the processes that answer requests. */
function run(one, seconds) {
  const requestsOf = (connection) => one.requests(arena, connection);
  const url = arena.services
    .filter(({ role }) => ['all', 'api'].includes(role))
    .map((service) => service.url);
  return load({ url, connections: CONNECTIONS, seconds, requestsOf });
}

/** Milliseconds of processor time by role, without the MCP servers, and transactions so far. */
async function figures(postmaster) {
  const { rows } = await arena.client.query(
    'SELECT xact_commit + xact_rollback AS transactions FROM pg_stat_database WHERE datname = current_database()',
  );
  const times = Object.fromEntries(roles.map((role) => [role, 0]));
  for (const { role, child } of arena.services) times[role] += processorSeconds(child.pid).own * 1000;
  return {
    ...times,
    database: processorSeconds(postmaster).tree * 1000,
    transactions: Number(rows[0].transactions),
  };
}
