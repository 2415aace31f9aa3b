// The three ways to one and the same server: through the gateway, by its own Streamable HTTP, and through a bridge.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { dataOf } from '../../client/client.mjs';
import { inRoot } from '../../scripts/paths.mjs';
import { mustRun } from '../../scripts/run.mjs';
import { serviceFlags } from '../service-flags.mjs';

const folder = join(tmpdir(), 'awp-bench-mcp');
const modules = join(folder, 'node_modules');
const EVERYTHING = join(modules, '@modelcontextprotocol/server-everything/dist/index.js');
/** The contract gives one agent half of the places of a server, so many calls at once come from several. */
const AGENTS = 8;
const SHARED = 'everything-shared';
const PROXY = join(modules, 'mcp-proxy/dist/bin/mcp-proxy.mjs');

/** Brings the peers from npm into a scratch folder, once. */
export async function bringPeers() {
  if (existsSync(PROXY) && existsSync(EVERYTHING)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  const peers = ['mcp-proxy@6.7.19', '@modelcontextprotocol/server-everything@2026.8.31'];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await mustRun('npm', ['install', '--prefix', folder, ...quiet, ...peers]);
}

/**
 * Each: `url`, `keys` of its agents, `pid`, `tool` (its name of echo), `close()`.
 * @param {string | undefined} beside the folder of another checkout, whose built service takes part too
 */
export async function openSides(beside) {
  const gateway = await openGateway('gateway', inRoot('.'));
  const others = beside ? [await openGateway('the other', beside)] : [];
  const direct = await peer('direct', (port) => [[EVERYTHING, 'streamableHttp'], { PORT: String(port) }]);
  const proxy = await peer('mcp-proxy', (port) => [
    [
      PROXY,
      '--port',
      String(port),
      '--host',
      '127.0.0.1',
      '--server',
      'stream',
      '--',
      process.execPath,
      EVERYTHING,
      'stdio',
    ],
    {},
  ]);
  return [gateway, ...others, direct, proxy];
}

/**
 * A catalogue with the server as one that agents share, because the other sides have one process for all, too. In the catalogue of the
 * product each agent has a process of its own.
 */
function sharedCatalog() {
  const catalog = mkdtempSync(join(tmpdir(), 'awp-bench-catalog-'));
  const entry = JSON.parse(readFileSync(inRoot('src/mcp/catalog/entries/everything.json'), 'utf8'));
  const shared = { ...entry, id: SHARED, manifest: { ...entry.manifest, sharing: 'shared' } };
  writeFileSync(join(catalog, `${SHARED}.json`), JSON.stringify(shared));
  return catalog;
}

async function openGateway(name, root) {
  const catalog = sharedCatalog();
  const { throwAwayService } = await import(pathToFileURL(join(root, 'scripts/demo/service.mjs')).href);
  const service = await throwAwayService('bench-mcp', {
    flags: serviceFlags,
    settings: { CATALOG_DIRS: catalog, RATE_LIMIT_PER_MINUTE: '0' },
  });
  const { api, pid } = service;
  const server = await dataOf(api.POST('/api/mcp/installed', { body: { catalogId: SHARED } }));
  const params = { path: { id: server.id } };
  await dataOf(api.POST('/api/mcp/installed/{id}/verify', { params }));
  const agents = [];
  for (let n = 1; n <= AGENTS; n += 1)
    agents.push(await dataOf(api.POST('/api/agents', { body: { name: `bench ${n}` } })));
  const entries = agents.map(({ id }) => ({ agentId: id, granted: true }));
  await dataOf(api.PUT('/api/mcp/installed/{id}/access', { params, body: { entries } }));
  const keys = agents.map(({ key }) => key);
  const close = async () => {
    await service.close();
    rmSync(catalog, { recursive: true });
  };
  return { name, url: `${service.url}/mcp`, keys, pid, tool: `${server.slug}__echo`, close };
}

async function peer(name, launchOn) {
  const port = await freePort();
  const [args, env] = launchOn(port);
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/mcp`;
  await answering(url, child);
  const close = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return { name, url, keys: [null], pid: child.pid, tool: 'echo', close };
}

async function answering(url, child) {
  for (let tries = 0; tries < 300 && child.exitCode === null; tries += 1) {
    if (await fetch(url).then(Boolean, () => false)) return;
    await sleep(100);
  }
  throw new Error(`${url} does not answer`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
