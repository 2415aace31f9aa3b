import { setTimeout as sleep } from 'node:timers/promises';
import { apiAt, dataOf } from '../client/client.mjs';
import { writeEntry } from './mcp/own-gateway.mjs';

const ID = 'polite';

/** Writes the entry of the server that `toolCalls` installs. */
export const writeToolServer = (catalog) => void writeEntry(catalog, ID);

/** In the first minute of a server, each call on a tools host asks the caller's process for the right again. */
const FIRST_MINUTE_MS = 62_000;

/** A tool call of 2026-07-28 that returns its arguments, as cases like those of cases.mjs. */
export async function toolCalls({ service, services, ownerKey, idle }) {
  const api = apiAt(service.url, ownerKey);
  const { id, slug } = await dataOf(api.POST('/api/mcp/installed', { body: { catalogId: ID } }));
  await dataOf(api.POST('/api/mcp/installed/{id}/verify', { params: { path: { id } } }));
  const params = { path: { agentId: idle.id } };
  const body = { entries: [{ serverId: id, granted: true }] };
  await dataOf(api.PUT('/api/agents/{agentId}/access', { params, body }));
  const request = requestOf(`${slug}__echo`, idle.key);
  const early = { name: 'tool call', requests: () => [request] };
  if (services.every(({ role }) => role !== 'tools')) return [early];
  let minute = null;
  const prepare = () => (minute ??= sleep(FIRST_MINUTE_MS));
  return [
    { ...early, name: 'first minute' },
    { ...early, prepare },
  ];
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
