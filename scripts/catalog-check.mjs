// `npm run catalog:check` installs and verifies every npm entry of the shipped catalogue that can be tried without an
// account, on a temporary service, and prints a table. Exits with 1 at any unexpected result. Takes a few minutes and
// about 2 GB of disk. `npm run catalog:check -- memory everything` tries only these two.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
const { startEmbeddedPostgres } = await import('../dist/src/platform/embedded-postgres/embedded-postgres.js');
const { throwAwayService } = await import('./demo/service.mjs');
const { dataOf } = await import('../client/client.mjs');
const { NOT_TRIED, trials } = await import('./catalog-check/trials.mjs');
const { tryEntry } = await import('./catalog-check/try-entry.mjs');

const AT_ONCE = 2;
const wanted = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'awp-catalog-check-files-'));
const databaseFolder = await mkdtemp(join(tmpdir(), 'awp-catalog-check-database-'));
// The database listens on TCP, because servers in their sandboxes cannot reach sockets in the file system.
const settings = { listen_addresses: '127.0.0.1' };
const quiet = { settings, log: () => undefined, onExit: () => undefined };
const database = await startEmbeddedPostgres({ dataDir: databaseFolder, ...quiet });
// A server reaches a private address only where the operator names it too.
const service = await throwAwayService('catalog-check', {
  settings: { OUTBOUND_ALLOWED_HOSTS: new URL(database.url).host },
});
try {
  const entries = await npmEntries();
  const known = trials({ folder, databaseUrl: database.url });
  const queue = entries.filter(({ id }) => id in known);
  console.log(row(['entry', 'version', 'install', 'verify', 'tools', 'era', 'credentials', '']));
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(queue, known)));
  for (const { id } of entries.filter((entry) => !(entry.id in known))) tellUntried(id);
} finally {
  await service.close();
  await database.stop();
  await Promise.all([folder, databaseFolder].map((path) => rm(path, { recursive: true, force: true })));
}

async function npmEntries() {
  const listed = await dataOf(service.api.GET('/api/mcp/catalog'));
  const detailOf = (id) => dataOf(service.api.GET('/api/mcp/catalog/{id}', { params: { path: { id } } }));
  const details = await Promise.all(listed.map(({ id }) => detailOf(id)));
  return details.filter(
    ({ id, manifest }) =>
      manifest.package?.registry === 'npm' && (wanted.length === 0 || wanted.includes(id)),
  );
}

async function work(queue, known) {
  for (let entry = queue.shift(); entry; entry = queue.shift())
    tell(await tryEntry(service.api, entry, known[entry.id]));
}

function tell({ entry, installedMs, verified, listed, surprise }) {
  console.log(
    row([
      entry.id,
      entry.version,
      `${(installedMs / 1000).toFixed(1)} s`,
      verified ? `${verified.latencyMs} ms` : '',
      listed ?? '',
      verified?.protocolVersion ?? '',
      verified?.credentials ?? '',
      surprise === null ? 'ok' : `SURPRISE: ${surprise}`,
    ]),
  );
  if (surprise !== null) process.exitCode = 1;
}

function tellUntried(id) {
  const reason = NOT_TRIED[id];
  console.log(
    row([id, '', '', '', '', '', '', reason ? `not tried: ${reason}` : 'SURPRISE: no trial for it']),
  );
  if (!reason) process.exitCode = 1;
}

function row(cells) {
  const widths = [20, 12, 9, 10, 6, 12, 12];
  return cells.map((cell, at) => String(cell).padEnd(widths[at] ?? 0)).join(' ');
}
