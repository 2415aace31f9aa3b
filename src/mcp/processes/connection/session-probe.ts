import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/client';
import type { OutboundHttp } from '../../../platform/http/outbound/outbound-http.js';
import { VERSION } from '../../../platform/config/version.js';

const SESSION = 'mcp-session-id';

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 'session-probe',
  method: 'initialize',
  params: {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'agent-work-platform', version: VERSION },
  },
});

/**
 * Whether the server accepts the credentials of a refused request for a new session: then it refused the session and not
 * them. Refreshing a token instead could end the sign-in of a person. The session of the probe is ended at once.
 */
export async function greetsAgain(
  outbound: OutboundHttp,
  url: string | URL,
  refused: Headers,
): Promise<boolean> {
  const headers = new Headers(refused);
  for (const name of [SESSION, 'mcp-protocol-version', 'last-event-id']) headers.delete(name);
  try {
    const response = await outbound.fetch(url, { method: 'POST', headers, body: INITIALIZE });
    await response.body?.cancel();
    const session = response.headers.get(SESSION);
    if (session !== null) void endSession(outbound, url, headers, session);
    return response.ok;
  } catch {
    return false; // A server that cannot be reached proves nothing about the session.
  }
}

async function endSession(
  outbound: OutboundHttp,
  url: string | URL,
  headers: Headers,
  session: string,
): Promise<void> {
  headers.set(SESSION, session);
  try {
    const response = await outbound.fetch(url, { method: 'DELETE', headers });
    await response.body?.cancel();
  } catch {
    // The server ends an unused session by itself.
  }
}
