import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import type { AnswerMask } from './answer-mask.js';
import { McpUnavailable } from './mcp-errors.js';

/** RFC 6749 §3.3, and short enough for a sentence. */
const SHOWN_SCOPE = /^(?=.{1,200}$)[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/**
 * Returns the error of a response that refuses credentials as too narrow (403 with `insufficient_scope`, RFC 6750 §3.1), null for
 * all others. The service asks for no wider token by itself: a server that lies would choose the rights that it is
 * given, and could end a sign-in that works.
 */
export function lackOfScope(response: Response, mask: AnswerMask): McpUnavailable | null {
  if (response.status !== 403) return null;
  const { error, scope = '' } = extractWWWAuthenticateParams(response);
  if (error !== 'insufficient_scope') return null;
  // The server may put what it was sent there.
  const isShown = SHOWN_SCOPE.test(scope) && mask.text(scope) === scope;
  const what = isShown ? `the scope "${scope}"` : 'a scope that the server does not name';
  return new McpUnavailable(
    'credentials_refused',
    `The server refused this call, because its credentials lack ${what}. Do not repeat the call. ` +
      'An admin has to give the credentials of this server that scope.',
  );
}
