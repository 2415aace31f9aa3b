// @ts-check
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { dataOf, Refused } from '../../client/client.mjs';
import { must, say } from './say.mjs';

/** @typedef {import('./service.mjs').DemoService} DemoService */
/** @typedef {import('../../client/schema.js').components['schemas']['NewAgentResponse']} Agent */
/** @typedef {import('../../client/schema.js').components['schemas']['InstalledServerResponse']} Server */

/** Creates an agent without any grant. @param {DemoService} service */
export async function makeAgent(service) {
  say.flow('An agent');
  const agent = await dataOf(service.api.POST('/api/agents', { body: { name: 'Demo agent' } }));
  say.step(
    'POST /api/agents',
    `created «${agent.name}»; an MCP client connects with its key at ${agent.connect.url}`,
  );
  return agent;
}

/**
 * Flow 1: from the runtimes of the host to a tool call by an unmodified MCP client.
 * @param {DemoService} service @param {Agent} agent
 */
export async function toolsFlow(service, agent) {
  say.flow('Flow 1: give an agent tools');
  const runtime = await dataOf(service.api.GET('/api/mcp/runtime'));
  must(runtime.node.detected, 'this host has no Node for servers');
  say.step(
    'GET /api/mcp/runtime',
    `Node ${runtime.node.version}; python ${runtime.python.detected ? runtime.python.version : 'not detected'}`,
  );
  const entries = await dataOf(
    service.api.GET('/api/mcp/catalog', { params: { query: { category: 'productivity' } } }),
  );
  say.step('GET /api/mcp/catalog?category=productivity', entries.map(({ name }) => name).join(', '));
  // Both packages are fetched at once.
  const fetching = { everything: fetched(service, 'everything'), memory: fetched(service, 'memory') };
  // Its failure is thrown where it is awaited.
  fetching.memory.catch(() => undefined);
  const everything = await install(service, 'everything', fetching.everything);
  const memory = await install(service, 'memory', fetching.memory);
  await mustHaveNoTools(agent);
  for (const server of [everything, memory]) await grant(service, server, agent, true);
  say.step(
    'PUT …/access for both servers',
    `«${agent.name}» is granted «${everything.name}» and «${memory.name}»`,
  );
  await callTools(agent, everything, memory);
  return everything;
}

/** @param {DemoService} service @param {Server} server @param {Agent} agent @param {boolean} granted */
function grant(service, server, agent, granted) {
  const params = { path: { id: server.id } };
  const body = { entries: [{ agentId: agent.id, granted }] };
  return dataOf(service.api.PUT('/api/mcp/installed/{id}/access', { params, body }));
}

/** @param {DemoService} service @param {string} catalogId @param {Promise<Server>} fetching */
async function install(service, catalogId, fetching) {
  const server = await fetching;
  say.step(
    `POST /api/mcp/installed {catalogId: "${catalogId}"}`,
    `installed «${server.name}» ${server.catalogVersion}, ${server.status}`,
  );
  const verified = await dataOf(
    service.api.POST('/api/mcp/installed/{id}/verify', { params: { path: { id: server.id } } }),
  );
  must(verified.status === 'ok', `${catalogId} did not verify: ${verified.details}`);
  say.step('POST …/verify', `${verified.details} (${verified.capabilities?.length ?? 0} tools)`);
  return server;
}

/**
 * A registry can be slow. What was downloaded is in the cache, and a second attempt continues from there.
 * @param {DemoService} service @param {string} catalogId
 */
async function fetched(service, catalogId) {
  const body = { catalogId, envValues: {} };
  try {
    return await dataOf(service.api.POST('/api/mcp/installed', { body }));
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'package_unavailable') throw error;
    say.step('POST /api/mcp/installed', 'the package could not be fetched; trying again');
    return await dataOf(service.api.POST('/api/mcp/installed', { body }));
  }
}

/** @param {Agent} agent */
async function mustHaveNoTools(agent) {
  await asAgent(agent, async (client) => {
    const { tools } = await client.listTools();
    const own = tools.filter(({ name }) => name.startsWith('platform__'));
    must(own.length === tools.length, 'a server without a grant showed tools');
    say.step('the agent lists its tools before any grant', `only the platform's own ${own.length}`);
  });
}

/** @param {Agent} agent @param {Server} everything @param {Server} memory */
async function callTools(agent, everything, memory) {
  await asAgent(agent, async (client) => {
    const { tools } = await client.listTools();
    const granted = tools.filter(({ name }) => !name.startsWith('platform__'));
    must(granted.length > 0, 'the granted tools are missing');
    say.step(
      'the agent lists its tools',
      `${granted.length} granted, such as ${granted
        .slice(0, 3)
        .map(({ name }) => name)
        .join(', ')}`,
    );
    const echo = await client.callTool({
      name: `${everything.slug}__echo`,
      arguments: { message: 'hello from the agent' },
    });
    must(/hello from the agent/.test(textOf(echo)), 'echo did not respond');
    say.step(`the agent calls ${everything.slug}__echo`, textOf(echo));
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }];
    await client.callTool({ name: `${memory.slug}__create_entities`, arguments: { entities } });
    const graph = await client.callTool({ name: `${memory.slug}__read_graph`, arguments: {} });
    must(/first program/.test(textOf(graph)), 'memory lost the entity');
    say.step(
      `the agent calls ${memory.slug}__create_entities and __read_graph`,
      'it returns that Ada wrote the first program',
    );
  });
}

/** @param {Awaited<ReturnType<Client['callTool']>>} result */
function textOf({ content: [first] }) {
  return first?.type === 'text' ? first.text : '';
}

/**
 * A revoked grant ends at once: the tool is gone from the list, and a call is refused.
 * @param {DemoService} service @param {Agent} agent @param {Server} server
 */
export async function revokeFlow(service, agent, server) {
  say.flow('Revoke');
  await asAgent(agent, async (client) => {
    await grant(service, server, agent, false);
    const { tools } = await client.listTools();
    must(!tools.some(({ name }) => name.startsWith(`${server.slug}__`)), 'a revoked tool is still listed');
    const refusal = await client
      .callTool({ name: `${server.slug}__echo`, arguments: { message: 'still there?' } })
      .then(
        () => null,
        (error) => error,
      );
    must(refusal !== null, 'a revoked tool could still be called');
    say.step(
      `PUT …/access {granted: false}, then the agent calls ${server.slug}__echo again`,
      `refused: ${refusal.message}`,
    );
  });
}

/** @param {Agent} agent @param {(client: Client) => Promise<void>} work */
async function asAgent(agent, work) {
  const client = new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const { url, headers } = agent.connect;
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  try {
    await work(client);
  } finally {
    await client.close();
  }
}
