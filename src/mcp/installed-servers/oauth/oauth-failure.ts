import { McpUnavailable } from '../../processes/connection/mcp-errors.js';

/** An authorization server gives no token. The sentence is for an agent, without secrets and without its words. */
export class SignInFailed extends McpUnavailable {
  /** @param why one sentence for an admin */
  constructor(readonly why: string) {
    super(
      'sign_in_failed',
      `The service could not sign in to this server: ${why} An admin has to correct it.`,
    );
  }
}

export function signInFailed(why: string): McpUnavailable {
  return new SignInFailed(why);
}
