import type { CatalogEntry } from '../catalog/catalog-entry.js';
import type { McpConnection } from '../processes/connection/mcp-connection.js';
import { isRefusal, McpError, McpUnavailable } from '../processes/connection/mcp-errors.js';
import type { CredentialState } from '../server-records/verification.js';

/** Codes and messages of Node, undici, Go, Python and .NET for failed name lookups, connections and responses. */
const SIGNS = new RegExp(
  [
    '\\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)\\b',
    '\\bUND_ERR_(CONNECT|HEADERS|BODY|SOCKET)',
    'fetch failed|socket hang up|getaddrinfo|no such host|dial (tcp|udp)|i/o timeout|context deadline exceeded',
    "host ?name not found|name or service not known|(temporary failure in )?name resolution|could ?n[o'’]t resolve host|failed to resolve",
    'connection (was )?(refused|reset|aborted|timed out)|network (is unreachable|error)|no route to host',
    '(connect|connection|request) ?(has )?(timeout|timed out)|max retries exceeded|unable to connect',
    '\\b(502 bad gateway|503 service unavailable|504 gateway time-?out)\\b',
    // A spent quota is no wrong credential.
    '\\b429\\b|too many requests|rate limit(ed)? exceeded|quota (was |has been )?exceeded',
  ].join('|'),
  'i',
);

/**
 * Returns whether a server reports in its own words that it could not reach the service behind it. Tools report that
 * with `isError`, like every other error, but it says nothing about the credentials. A text that names both a network
 * error and a 401 (Azure's library lists every method that it tried) counts as unreachable.
 */
export function reportsUnreachable(result: Record<string, unknown>): boolean {
  return SIGNS.test(JSON.stringify(result.content ?? ''));
}

/**
 * Runs the entry's credential probe, a harmless tool call that fails with a wrong credential, if the entry has one and
 * there is a credential to test. A call without a response, from the server or from the service behind it, proves
 * nothing. Nor does a tool that the server does not list: a remote server changes its tools without the catalogue.
 */
export async function probeCredentials(
  connection: McpConnection,
  { manifest: { credentialProbe } }: CatalogEntry,
  options: { hasSecrets: boolean; toolNames: readonly string[]; signal: AbortSignal },
): Promise<CredentialState> {
  if (!credentialProbe || !options.hasSecrets) return 'unchecked';
  if (!options.toolNames.includes(credentialProbe.tool)) return 'unchecked';
  try {
    const params = { name: credentialProbe.tool, arguments: credentialProbe.arguments };
    const result = await connection.request('tools/call', params, { signal: options.signal });
    if (result.isError !== true) return 'accepted';
    return reportsUnreachable(result) ? 'unchecked' : 'refused';
  } catch (error) {
    if (error instanceof McpError)
      return reportsUnreachable({ content: error.message }) ? 'unchecked' : 'refused';
    if (!(error instanceof McpUnavailable)) throw error;
    return isRefusal(error) ? 'refused' : 'unchecked';
  }
}
