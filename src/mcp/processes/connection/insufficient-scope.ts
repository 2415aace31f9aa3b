import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { McpUnavailable } from './mcp-errors.js';

/** What a server asks for that refuses an access token as too narrow (RFC 6750 §3.1). */
export interface AskedScope {
  /** Null where the server does not say. */
  scope: string | null;
}

const LONGEST_SHOWN = 200;

/** Returns null for all other responses. */
export function scopeAskedBy(response: Response): AskedScope | null {
  if (response.status !== 403) return null;
  const { error, scope } = extractWWWAuthenticateParams(response);
  return error === 'insufficient_scope' ? { scope: scope ?? null } : null;
}

/** Returns a scope for a sentence. */
export function shownScope(scope: string): string {
  const text = scope.replaceAll(/[^\x20-\x7e]|["\\]/g, '');
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** No new token, and no other sign-in, would help: the call failed for good. */
export function scopeRefused(scope: string | null): McpUnavailable {
  const what = scope === null ? 'a scope that the server does not name' : `the scope "${shownScope(scope)}"`;
  return new McpUnavailable(
    'sign_in_failed',
    `The server refused this call, because its access token lacks ${what}. Do not repeat the call. ` +
      'An admin has to allow that scope at the authorization server of the server.',
  );
}
