// @ts-check
import { dataOf } from '../../client/client.mjs';

/** @typedef {import('../../client/schema.js').components['schemas']['InstalledServerResponse']} Server */

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
    await dataOf(api.POST('/api/mcp/installed/{id}/verify', { params: { path: { id: server.id } } }));
    const entries = agents.slice(0, 2).map(({ id: agentId }) => ({ agentId, granted: true }));
    const [first] = entries;
    if (first && catalogId === 'everything')
      entries[0] = /** @type {typeof first} */ ({ ...first, tools: ['echo', 'get-sum'] });
    await dataOf(
      api.PUT('/api/mcp/installed/{id}/access', { params: { path: { id: server.id } }, body: { entries } }),
    );
    servers.push(server);
  }
  return servers;
}
