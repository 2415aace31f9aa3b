import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed, type Installed } from './mcp-setting.js';

const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
afterEach(closeClients);

describe.each(clientKinds)('an agent with %s', (kind) => {
  let server: Installed;
  let agent: Caller;
  beforeAll(async () => {
    server = await installed(service, 'polite');
    agent = await asAgent(service);
    await grant(service, server, agent);
  });

  it('lists the tools of the servers that it was granted, after the own ones of the platform', async () => {
    const client = await connect(agent, kind);
    expect(client.era).toBe(kind.startsWith('sdk') ? 'legacy' : 'modern');
    const names = await client.toolNames();
    expect(names.slice(0, 8).every((name) => name.startsWith('platform__'))).toBe(true);
    expect(names.slice(8)).toEqual(['count', 'echo', 'environment', 'pid', 'wait'].map((name) => `${server.slug}__${name}`));
  });

  it('calls a tool with any arguments and gets its answer unchanged', async () => {
    const client = await connect(agent, kind, '/api/agents/me/mcp');
    const given = { deep: { list: [1, null, 'ü', { __proto__x: true }] }, 'odd key': '' };
    const { text, isError } = await client.call(`${server.slug}__echo`, given);
    expect(isError).toBeUndefined();
    expect(JSON.parse(text)).toEqual(given);
  });
});
