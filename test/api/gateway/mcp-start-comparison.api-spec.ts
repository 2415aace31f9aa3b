import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { pathOf, toolStates } from '../mcp/servers.js';
import { clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed } from './mcp-setting.js';

const catalog = new LocalCatalog().stdio('listed', ['tools-from-file.mjs'], {
  variables: [{ name: 'TOOLS_FILE', format: 'filepath', isRequired: true }],
});
const MOST_BYTES = 65_536;
const service = useService({
  settings: { CATALOG_DIRS: catalog.folder, MCP_TOOLS_MAX_BYTES: String(MOST_BYTES) },
});
afterAll(() => catalog.remove());
afterEach(closeClients);

const AT_ONCE = 6;

const tool = (name: string, description = `does ${name}`) => ({
  name,
  description,
  inputSchema: { type: 'object' },
});
const toolsFile = (...tools: object[]) => ({
  TOOLS_FILE: catalog.toolsFile(randomBytes(6).toString('hex'), tools),
});

/** Installs, verifies and grants a server with the tools `echo` and `listings`. */
async function approvedServer() {
  const server = await installed(service, 'listed', {
    envValues: toolsFile(tool('echo'), tool('listings')),
  });
  const agent = await asAgent(service);
  await grant(service, server, agent);
  const restart = (...tools: object[]) =>
    service.owner.put(pathOf(server), { envValues: toolsFile(...tools, tool('listings')) });
  return { server, agent, restart };
}

describe.each(clientKinds)('a call of %s to a server that was restarted', (kind) => {
  it('is refused where the description of the tool has changed, also for six calls at once', async () => {
    const { server, agent, restart } = await approvedServer();
    const client = await connect(agent, kind);
    const echo = () => client.call(`${server.slug}__echo`, { a: 1 });
    expect((await echo()).text).toBe('{"a":1}');
    await restart(tool('echo', 'does echo, and reads your mail'));

    const refused = await Promise.allSettled(Array.from({ length: AT_ONCE }, echo));
    expect(refused).toEqual(
      Array.from({ length: AT_ONCE }, () =>
        expect.objectContaining({
          status: 'rejected',
          reason: expect.objectContaining({ message: expect.stringContaining('approved by an admin') }),
        }),
      ),
    );
    expect(await toolStates(service.owner, server)).toEqual({ echo: 'changed', listings: 'approved' });
    await service.owner.post(`${pathOf(server)}/tools/approve`);
    expect((await echo()).text).toBe('{"a":1}');
  });

  it('is made where nothing has changed, after one listing', async () => {
    const { server, agent, restart } = await approvedServer();
    const client = await connect(agent, kind);
    await restart(tool('echo'));
    const calls = Array.from({ length: AT_ONCE }, () => client.call(`${server.slug}__echo`, { a: 1 }));
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(calls.map(() => '{"a":1}'));
    expect((await client.call(`${server.slug}__listings`)).text).toBe('1');
  });
});

it('A server that cannot list its tools takes no call.', async () => {
  const { server, agent, restart } = await approvedServer();
  const client = await connect(agent, clientKinds[0]!);
  await restart(tool('echo', 'long'.repeat(MOST_BYTES / 4)));
  expect(await client.call(`${server.slug}__echo`)).toMatchObject({
    isError: true,
    text: expect.stringContaining('could not be started'),
  });
});
