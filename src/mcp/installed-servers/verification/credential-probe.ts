import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import type { McpConnection } from '../../processes/mcp-connection.js';
import { McpError, McpUnavailable } from '../../processes/mcp-errors.js';
import type { CredentialState } from './verification.js';

/**
 * Runs the entry's harmless tool call that fails with a wrong credential, where it has one and there is a
 * credential to be tried. One that gets no answer at all proves nothing.
 */
export async function probeCredentials(
  connection: McpConnection,
  { manifest: { credentialProbe } }: CatalogEntry,
  options: { hasSecrets: boolean; signal: AbortSignal },
): Promise<CredentialState> {
  if (!credentialProbe || !options.hasSecrets) return 'unchecked';
  try {
    const params = { name: credentialProbe.tool, arguments: credentialProbe.arguments };
    const result = await connection.request('tools/call', params, { signal: options.signal });
    return result.isError === true ? 'refused' : 'accepted';
  } catch (error) {
    if (error instanceof McpError) return 'refused';
    if (!(error instanceof McpUnavailable)) throw error;
    return error.kind === 'credentials_refused' ? 'refused' : 'unchecked';
  }
}
