import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import type { AccessToken, TokenSource } from '../server-description-and-limits.js';
import type { AnswerMask } from './answer-mask.js';
import { McpUnavailable } from './mcp-errors.js';

/** Sends one request with a header Authorization; null: without. */
type Send = (authorization: string | null) => Promise<Response>;

/** Sends the requests of a remote server with access tokens, and again with others where the server refuses them. */
export class TokenRequests {
  constructor(
    private readonly tokens: TokenSource,
    /** Learns each access token, because the server may put one into a response. */
    private readonly mask: AnswerMask,
  ) {}

  /**
   * A refused request is sent again with a new token. Where a person would have to sign in again, two new ones are tried:
   * another process may have got the first of them long ago.
   * @param checkSession throws where the server refused the session of the request and not the token
   */
  async send(send: Send, checkSession: () => Promise<void>): Promise<Response> {
    let token = await this.token();
    let response = await send(authorizationOf(token));
    if (response.status === 401) await checkSession();
    for (let left = this.tokens.refused ? 2 : 1; response.status === 401 && token && left > 0; left -= 1) {
      await response.body?.cancel();
      token = await this.token(token.id);
      response = await send(authorizationOf(token));
    }
    if (response.status === 401) return this.afterRefusal(token, response);
    return response;
  }

  private async afterRefusal(token: AccessToken | null, response: Response): Promise<Response> {
    const failure = await this.tokens.refused?.(token, response.headers.get('www-authenticate'));
    if (!failure) return response;
    await response.body?.cancel();
    throw failure;
  }

  private async token(refusedId?: string): Promise<AccessToken | null> {
    const token = await this.tokens.token(refusedId);
    if (token) this.mask.add(token.value);
    return token;
  }
}

function authorizationOf(token: AccessToken | null): string | null {
  return token && `Bearer ${token.value}`;
}

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
