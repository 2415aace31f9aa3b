import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import type { McpConnection } from '../../processes/connection/mcp-connection.js';
import { McpError, McpUnavailable, isRefusal } from '../../processes/connection/mcp-errors.js';
import { reportsUnreachable } from './unreachable-signs.js';
import type { CredentialState } from './verification.js';

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
