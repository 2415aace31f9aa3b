import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import type { McpConnection } from '../../processes/mcp-connection.js';
import { McpError, McpUnavailable } from '../../processes/mcp-errors.js';
import { saysNoAnswerCame } from './no-answer-text.js';
import type { CredentialState } from './verification.js';

/**
 * Runs the entry's harmless tool call that fails with a wrong credential, where it has one and there is a
 * credential to be tried. One that gets no answer at all, from the server or from what is behind it, proves nothing.
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
    if (result.isError !== true) return 'accepted';
    return saysNoAnswerCame(result) ? 'unchecked' : 'refused';
  } catch (error) {
    if (error instanceof McpError)
      return saysNoAnswerCame({ content: error.message }) ? 'unchecked' : 'refused';
    if (!(error instanceof McpUnavailable)) throw error;
    return error.kind === 'credentials_refused' ? 'refused' : 'unchecked';
  }
}
