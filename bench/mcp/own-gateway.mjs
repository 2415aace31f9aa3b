// A throw-away service with small servers of the tests' own, for what is to be seen without anybody beside it.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataOf } from '../../client/client.mjs';
import { throwAwayService } from '../../scripts/demo/service.mjs';
import { inRoot } from '../../scripts/paths.mjs';
import { serviceFlags } from '../service-flags.mjs';

/**
 * @param {string[]} names of the servers: each is an entry of its own
 * @returns the service with `servers` (id, slug, `script`: the file that it runs), `anAgent()` that is granted them all
 */
export async function openOwnGateway(names, { flags = [], settings = {} } = {}) {
  const catalog = mkdtempSync(join(tmpdir(), 'awp-bench-catalog-'));
  const scripts = names.map((name) => writeEntry(catalog, name));
  const service = await throwAwayService('bench-own', {
    flags: [...serviceFlags, ...flags],
    settings: { CATALOG_DIRS: catalog, RATE_LIMIT_PER_MINUTE: '0', ...settings },
  });
  const { api } = service;
  const servers = [];
  for (const [at, catalogId] of names.entries()) {
    const { id, slug } = await dataOf(api.POST('/api/mcp/installed', { body: { catalogId } }));
    await dataOf(api.POST('/api/mcp/installed/{id}/verify', { params: { path: { id } } }));
    servers.push({ id, slug, script: scripts[at] });
  }
  const entries = servers.map(({ id }) => ({ serverId: id, granted: true }));
  return {
    ...service,
    endpoint: `${service.url}/mcp`,
    servers,
    async anAgent() {
      const agent = await dataOf(api.POST('/api/agents', { body: { name: `bench ${(agents += 1)}` } }));
      const params = { path: { agentId: agent.id } };
      await dataOf(api.PUT('/api/agents/{agentId}/access', { params, body: { entries } }));
      return agent;
    },
    async close() {
      await service.close();
      rmSync(catalog, { recursive: true, force: true });
    },
  };
}

let agents = 0;

/**
 * Writes an entry for a server of the tests into a catalogue folder, and returns its script. Each has the script in a
 * folder of its own, so that it can be taken from one alone.
 */
export function writeEntry(catalog, id) {
  const folder = join(catalog, `${id}-files`);
  mkdirSync(folder);
  cpSync(inRoot('test/support/mcp-servers'), folder, { recursive: true });
  const script = join(folder, 'misbehaving.mjs');
  const facts = { id, name: id, description: `The ${id} server.`, category: 'dev', version: '1.0.0' };
  const launch = { command: 'node', args: [script, 'polite'], cwd: folder };
  const manifest = { package: { registry: 'none' }, launch, sharing: 'shared' };
  const entry = { ...facts, transport: 'stdio', runtime: 'none', manifest, environmentVariables: [] };
  writeFileSync(join(catalog, `${id}.json`), JSON.stringify(entry));
  return script;
}
