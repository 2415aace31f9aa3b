import { extractWWWAuthenticateParams, LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/client';
import { ContextSlot } from '../../../platform/concurrency/queues-semaphores-and-context-slots.js';
import { VERSION } from '../../../platform/config/settings.js';
import type { OutboundHttp } from '../../../platform/http/outbound-http.js';
import type { AccessToken, ServerDescription, TokenSource } from '../server-description-and-limits.js';
import type { AnswerMask } from './answer-mask.js';
import { McpStartFailure, McpUnavailable } from './mcp-errors.js';

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

/** The answers of HTTP by which servers refuse a session that they do not know. */
const REFUSALS = new Set([400, 404, 409, 410]);

/** Codes of the same range that mean something else: a resource that does not exist, and a URL to open first. */
const OTHER_MEANINGS = new Set([-32_002, -32_042]);

const SPEAKS_OF_SESSION =
  /\bsession\b.*\b(not|no|unknown|invalid|expired|missing|required|terminated|closed|lost|gone)\b|\b(not|no|unknown|invalid|expired|missing|required|terminated|closed|lost|gone)\b.*\bsession\b|\bnot (yet |been )?initiali[sz]ed\b/i;

/** Requests that change nothing, so that one that may have been executed is sent again. */
const SAFE =
  /^(ping|completion\/complete|logging\/setLevel|(tools|prompts|resources|resources\/templates)\/(list|get|read|subscribe|unsubscribe))$/;

const repeats = new ContextSlot<true>();

/**
 * Runs a request again in a new session. What the server answers now is about the request and not about the session, so
 * a server that answers every request in this way gets each request twice and no more.
 */
export function asRepeat<T>(work: () => T): T {
  return repeats.run(true, work);
}

/** Whether the present request is made in a session that the server may have forgotten. */
export function mayBeForgotten(): boolean {
  return repeats.get() === undefined;
}

export function refusesSession(status: number): boolean {
  return REFUSALS.has(status);
}

/** Whether a JSON-RPC error of a server says that it does not know the session. */
export function speaksOfSession({ code, message }: { code: number; message: string }): boolean {
  const isOfProtocol = code === -32_600 || (code <= -32_000 && code >= -32_099 && !OTHER_MEANINGS.has(code));
  return isOfProtocol && SPEAKS_OF_SESSION.test(message);
}

/** The error of a request that the server did not execute, because it does not know the session. */
export function sessionForgotten(how: string): McpUnavailable {
  return new McpUnavailable(
    'session_lost',
    `The server has forgotten this session, or refuses the request (${how}). Try again.`,
  );
}

/**
 * Returns what an error says about the session in which a request was made: `forgotten` where the request was not
 * executed, `doubtful` where it may have been; null where the session goes on.
 */
export function sessionAfter(
  error: unknown,
  { transport }: Pick<ServerDescription, 'transport'>,
): 'forgotten' | 'doubtful' | null {
  const failure = error instanceof McpStartFailure ? error.cause : error;
  if (!(failure instanceof McpUnavailable) || transport === 'stdio') return null;
  if (failure.kind === 'session_lost') return 'forgotten';
  return failure.kind === 'unreachable' || failure.kind === 'died' ? 'doubtful' : null;
}

/** Whether a request that may have been executed can be sent again. */
export function isSafe(method: string): boolean {
  return SAFE.test(method);
}

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
