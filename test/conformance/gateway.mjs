// The service with the fixture installed by its own API and granted to an agent, as an operator would do it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '../../scripts/paths.mjs';

export async function startGateway({ fixturePort, origins }) {
  const folder = mkdtempSync(join(tmpdir(), 'awp-conformance-run-'));
  const catalog = join(folder, 'catalog');
  mkdirSync(catalog);
  writeFileSync(join(catalog, 'fixture.json'), JSON.stringify(entryFor(fixturePort)));
  const ownerKey = `owner-key-${randomBytes(24).toString('hex')}`;
  const child = spawn(process.execPath, [inRoot('dist/src/main.js')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: '0',
        DATA_DIR: join(folder, 'data'),
        LOG_LEVEL: 'error',
        PROCESSES: '1',
      },
      ...{
        BOOTSTRAP_OWNER_API_KEY: ownerKey,
        RATE_LIMIT_PER_MINUTE: '0',
        DASHBOARD_ORIGINS: origins.join(','),
      },
      ...{
        TOOL_CHANGE_POLICY: 'allow',
        CATALOG_DIRS: catalog,
        OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${fixturePort}`,
      },
    },
  });
  const stop = async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const baseUrl = await ready(child);
    const agent = await furnish(baseUrl, ownerKey);
    return { url: new URL('/mcp', baseUrl), key: agent.key, slug: SLUG, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

/** Short, so that no name of the scenarios has to be cut. */
const SLUG = 'x';

function entryFor(port) {
  const facts = {
    id: 'fixture',
    name: SLUG,
    description: 'The conformance fixture.',
    category: 'dev',
    version: '1.0.0',
  };
  const manifest = { url: `http://127.0.0.1:${port}/mcp`, headers: {} };
  return { ...facts, transport: 'http', runtime: 'none', manifest, environmentVariables: [] };
}

function ready(child) {
  return new Promise((resolve, reject) => {
    let log = '';
    const hear = (text) => {
      log += text;
      const address = /is ready at ([^\s"]+)/.exec(log)?.[1];
      if (address) resolve(address);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
    child.once('exit', () => reject(new Error(`The service ended:\n${log}`)));
  });
}

async function furnish(baseUrl, ownerKey) {
  const send = async (method, path, body) => {
    const headers = { authorization: `Bearer ${ownerKey}`, 'content-type': 'application/json' };
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers,
      body: JSON.stringify(body ?? {}),
    });
    if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const agent = await send('POST', '/api/agents', { name: 'conformance' });
  const server = await send('POST', '/api/mcp/installed', { catalogId: 'fixture' });
  await send('POST', `/api/mcp/installed/${server.id}/verify`);
  await send('PUT', `/api/mcp/installed/${server.id}/access`, {
    entries: [{ agentId: agent.id, granted: true }],
  });
  return agent;
}
