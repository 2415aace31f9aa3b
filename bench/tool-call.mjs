import { apiAt, dataOf } from '../client/client.mjs';
import { writeEntry } from './mcp/own-gateway.mjs';

const ID = 'polite';

/** Writes the entry of the server that `toolCall` installs. */
export const writeToolServer = (catalog) => void writeEntry(catalog, ID);

/** A tool call of 2026-07-28 that returns its arguments, as a case like those of cases.mjs. */
export async function toolCall({ service, ownerKey, idle }) {
  const api = apiAt(service.url, ownerKey);
  const { id, slug } = await dataOf(api.POST('/api/mcp/installed', { body: { catalogId: ID } }));
  await dataOf(api.POST('/api/mcp/installed/{id}/verify', { params: { path: { id } } }));
  const params = { path: { agentId: idle.id } };
  const body = { entries: [{ serverId: id, granted: true }] };
  await dataOf(api.PUT('/api/agents/{agentId}/access', { params, body }));
  const request = requestOf(`${slug}__echo`, idle.key);
  return { name: 'tool call', requests: () => [request] };
}

function requestOf(name, key) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: { message: 'echoed by the bench' }, _meta };
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}
