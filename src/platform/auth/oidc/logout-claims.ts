import type { JWTPayload } from 'jose';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MOST_CHARACTERS = 255;

/**
 * The oldest `iat` that is accepted, in seconds. A provider sends the token at once. Its id is remembered for longer than
 * this, so that none is accepted twice.
 */
export const LOGOUT_TOKEN_MAX_AGE_SECONDS = 300;

/** What a logout token says, once its signature, issuer, audience and times are right. */
export interface LogoutClaims {
  tokenId: string;
  subject: string | null;
  sid: string | null;
  issuedAt: number;
}

/**
 * Checks the rules that logout tokens have beside those of all tokens (OpenID Connect Back-Channel Logout 1.0): the event,
 * an id, a subject or a session, and no nonce, with which it would be an ID token.
 * @returns null when one is broken
 */
export function logoutClaimsIn(claims: JWTPayload): LogoutClaims | null {
  const { events, jti, iat, sub, sid } = claims;
  if (!isObject(events) || !Object.hasOwn(events, EVENT) || !isObject(events[EVENT])) return null;
  if ('nonce' in claims) return null;
  const [subject, session] = [textOrNull(sub), textOrNull(sid)];
  if (subject === undefined || session === undefined || (subject === null && session === null)) return null;
  const tokenId = textOrNull(jti);
  if (!tokenId || typeof iat !== 'number') return null;
  return { tokenId, subject, sid: session, issuedAt: iat };
}

/** Returns null for an absent claim, and undefined for one of another form. */
function textOrNull(value: unknown): string | null | undefined {
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '' || value.length > MOST_CHARACTERS) return undefined;
  return value.includes('\0') ? undefined : value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
