import { OutboundError } from '../http/outbound-addresses-and-errors.js';

/**
 * Why a sign-in by OIDC ends on the sign-in page (contract §2.9). The dashboard has a sentence for each word that says
 * what to do.
 */
export type SignInReason =
  | 'off'
  | 'busy'
  | 'unavailable'
  | 'misconfigured'
  | 'expired'
  | 'cancelled'
  | 'invalid'
  | 'no_role'
  | 'no_email'
  | 'email_taken'
  | 'disabled'
  | 'other_person'
  | 'not_confirmed';

/** A sign-in was refused. `about` goes into the audit and the log: it holds no token and no code. */
export class SignInRefused extends Error {
  constructor(
    readonly reason: SignInReason,
    readonly about: Readonly<Record<string, unknown>> = {},
  ) {
    super(`The sign-in was refused: ${reason}.`);
    this.name = 'SignInRefused';
  }
}

/** The metadata of the provider, as far as a sign-in depends on it. */
interface ProviderMetadata {
  issuer: string;
  jwks_uri?: string;
  authorization_endpoint?: string;
}

/**
 * Checks that the metadata are those of the issuer of the settings, and that they name safe addresses: HTTPS, where the issuer is
 * not on plain HTTP itself.
 * @throws {SignInRefused} misconfigured, for the operator to fix in the settings or at the provider
 */
export function refuseMetadata(
  { issuer, jwks_uri: keysUrl, authorization_endpoint: signInUrl }: ProviderMetadata,
  configured: string,
): void {
  if (issuer !== configured) throw issuerDiffers();
  const scheme = configured.startsWith('http:') ? /^https?:/ : /^https:/;
  const isSafe = (url: string | undefined) => url !== undefined && URL.canParse(url) && scheme.test(url);
  if (!isSafe(keysUrl) || !isSafe(signInUrl))
    throw new SignInRefused('misconfigured', { error: 'unsafe_metadata' });
}

export function issuerDiffers(): SignInRefused {
  return new SignInRefused('misconfigured', { error: 'issuer_differs' });
}

/** Whether the library found another issuer in the metadata than the one that was asked for. */
export function isOtherIssuer(error: unknown): boolean {
  return (error as { code?: string }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
}

/** A word of OAuth such as `access_denied`; anything else that a provider writes there is not repeated. */
const OAUTH_WORD = /^[A-Za-z0-9_.-]{1,64}$/;

/** Errors with which a provider says that it cannot serve the request now. */
const LATER = new Set(['server_error', 'temporarily_unavailable']);
/** Errors that the operator has to fix in the settings or at the provider. */
const SETUP = new Set([
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'unsupported_response_type',
]);
/** The libraries' words for an answer that is not JSON, has another status, or did not come. */
const NO_ANSWER = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_TIMEOUT',
  'ERR_JOSE_GENERIC',
  'ERR_JWKS_TIMEOUT',
]);

/**
 * Returns the refusal behind an error of the OIDC libraries. Only stable words of the error are kept: its message, cause
 * and response may hold a token, a code or what the provider wrote.
 */
export function refusalOf(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  const outbound = OutboundError.behind(error);
  if (outbound) return new SignInRefused('unavailable', { error: outbound.kind });
  const facts = factsOf(error);
  return new SignInRefused(reasonOf(facts), { error: facts.oauth ?? facts.code });
}

/** What an error of the OAuth libraries says: the error of the server (RFC 6749), the library's own code, the status. */
export interface OauthErrorFacts {
  oauth: string | null;
  code: string;
  status: number | null;
}

export function factsOf(error: unknown): OauthErrorFacts {
  const code = wordIn(error, 'code') ?? (error instanceof Error ? error.name : 'unknown');
  return { oauth: wordIn(error, 'error'), code, status: statusIn(error) };
}

/** Whether a server refuses the credentials of the client: with the word of RFC 6749 §5.2, or with a challenge of HTTP. */
export function isClientRefused(error: unknown): boolean {
  const { oauth, status } = factsOf(error);
  return oauth === 'invalid_client' || (oauth === null && status === 401);
}

/** Whether a server says that it cannot serve the request now. */
export function isTemporary({ oauth, status }: OauthErrorFacts): boolean {
  return (oauth !== null && LATER.has(oauth)) || (status !== null && status >= 500);
}

/** Whether no answer came that a library could read. */
export function isNoAnswer({ oauth, code }: OauthErrorFacts): boolean {
  return oauth === null && NO_ANSWER.has(code);
}

function reasonOf(facts: OauthErrorFacts): SignInReason {
  const { oauth, status } = facts;
  if (oauth === 'access_denied') return 'cancelled';
  // Some providers refuse a wrong secret with a challenge of HTTP alone.
  if (oauth === null ? status === 401 : SETUP.has(oauth)) return 'misconfigured';
  return isTemporary(facts) || isNoAnswer(facts) ? 'unavailable' : 'invalid';
}

function wordIn(error: unknown, member: string): string | null {
  const value = memberOf(error, member);
  return typeof value === 'string' && OAUTH_WORD.test(value) ? value : null;
}

function statusIn(error: unknown): number | null {
  const status = memberOf(error, 'status');
  return typeof status === 'number' ? status : null;
}

function memberOf(error: unknown, member: string): unknown {
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[member] : undefined;
}
