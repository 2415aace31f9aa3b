import { McpUnavailable } from '../../processes/connection/mcp-errors.js';

/** An authorization server gives no token. The sentence is for an agent, without secrets and without its words. */
export function signInFailed(reason: string): McpUnavailable {
  return new McpUnavailable(
    'sign_in_failed',
    `The service could not sign in to this server: ${reason} An admin has to correct it.`,
  );
}
