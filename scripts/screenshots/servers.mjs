// @ts-check
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { dataOf } from '../../client/client.mjs';

/** @typedef {import('../../client/schema.js').components['schemas']['InstalledServerResponse']} Server */

/** How long the form of a server is there for the pictures. */
export const FORM_WAIT_SECONDS = 900;

/**
 * Two servers that work, granted to two agents, and one whose credentials are refused.
 * @param {import('../demo/service.mjs').DemoService} service @param {import('../demo/board.mjs').Board} board
 * @returns {Promise<Server[]>}
 */
export async function makeServers({ api }, { agents }) {
  /** @type {Server[]} */
  const servers = [];
  for (const [catalogId, envValues] of Object.entries({ everything: {}, memory: {} })) {
    const server = await dataOf(api.POST('/api/mcp/installed', { body: { catalogId, envValues } }));
    for (const _ of [1, 2])
      await dataOf(api.POST('/api/mcp/installed/{id}/verify', { params: { path: { id: server.id } } }));
    const entries = agents.slice(0, 2).map(({ id: agentId }) => ({ agentId, granted: true }));
    const [first] = entries;
    if (first && catalogId === 'everything')
      entries[0] = /** @type {typeof first} */ ({ ...first, tools: ['echo', 'get-sum'] });
    const [, second] = entries;
    if (second && catalogId === 'everything')
      entries[1] = /** @type {typeof second} */ ({ ...second, ask: ['echo', 'get-env'] });
    await dataOf(
      api.PUT('/api/mcp/installed/{id}/access', { params: { path: { id: server.id } }, body: { entries } }),
    );
    servers.push(server);
  }
  return servers;
}

/**
 * An agent calls tools for its issue: two calls that work, one that fails, and one that is refused.
 * @param {import('../demo/service.mjs').DemoService} service @param {Agent} agent
 */
export async function callSomeTools(service, agent) {
  const client = await connected(service, agent);
  const call = (/** @type {string} */ name, /** @type {Record<string, unknown>} */ args) =>
    client.callTool({ name: `everything__${name}`, arguments: args }).catch(() => null);
  await call('echo', { message: 'hello' });
  await call('get-sum', { a: 2, b: 40 });
  await call('get-sum', { a: 'two', b: 40 });
  await call('get-env', {});
  await client.close();
}

/**
 * An agent whose grant asks calls a tool; the call waits for a person until the client is closed.
 * @param {import('../demo/service.mjs').DemoService} service @param {Agent} agent
 */
export async function askForApproval(service, agent) {
  const client = await connected(service, agent);
  const args = { message: 'Refunds of October: 212 posted, 3 differ by one cent.' };
  client.callTool({ name: 'everything__echo', arguments: args }).catch(() => null);
  return client;
}

/**
 * A worker of the agent takes no more work after equal failures.
 * @param {import('../demo/service.mjs').DemoService} service @param {Agent} agent
 */
export async function failAs(service, agent) {
  const failing = 'git ended with code 128.';
  const body = { worker: 'build-host-analyst-1f3a9c2e', capacity: 0, failing };
  const params = { path: { agentId: 'me' } };
  await dataOf(service.as(agent.key).POST('/api/agents/{agentId}/heartbeat', { params, body }));
}

/**
 * A server asks for a form while the agent's tool runs; the form waits for a person until the client is closed.
 * @param {import('../demo/service.mjs').DemoService} service @param {Agent} agent
 */
export async function askByForm(service, agent) {
  const client = await connected(service, agent);
  const name = 'everything__trigger-elicitation-request';
  // The question is withdrawn when its call is cancelled, which a client does after a minute.
  client.callTool({ name, arguments: {} }, { timeout: FORM_WAIT_SECONDS * 1_000 }).catch(() => null);
  return client;
}

/** @typedef {import('../demo/board.mjs').Board['agents'][number]} Agent */

/**
 * A client with the key of the agent's lease.
 * @param {import('../demo/service.mjs').DemoService} service @param {Agent} agent
 */
async function connected(service, agent) {
  const path = { agentId: 'me' };
  const { work = [] } = await dataOf(
    service
      .as(agent.key)
      .POST('/api/agents/{agentId}/heartbeat', { params: { path }, body: { worker: 'demo', capacity: 0 } }),
  );
  const connect = work.find((one) => one.connect !== null)?.connect;
  if (!connect) throw new Error(`${agent.name} works on nothing`);
  const client = new Client({ name: 'screenshots', version: '1.0.0' });
  const { url, headers } = connect;
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}
