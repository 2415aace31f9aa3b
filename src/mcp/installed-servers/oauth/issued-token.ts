/** An access token that lasts as long as its server said. */
export interface IssuedToken {
  accessToken: string;
  lifetimeSeconds: number;
}

/** The members that count of an answer of a token endpoint (RFC 6749 §5.1). */
interface TokenAnswer {
  access_token: string;
  token_type: string;
  expires_in?: number;
}

/** For a server that does not say how long its tokens last. */
const DEFAULT_LIFETIME_SECONDS = 3_600;
/** A server may write any number. After this time a token is replaced whatever its server said. */
const LONGEST_LIFETIME_SECONDS = 30 * 24 * 3_600;
const LONGEST_TOKEN = 16_384;
/** What may stand in a header Authorization. */
const VISIBLE = /^[\x21-\x7e]+$/;

/** Returns the token of an answer, or null where no request could carry it as a bearer token. */
export function issuedTokenIn(answer: TokenAnswer): IssuedToken | null {
  const { access_token: accessToken, token_type: type, expires_in: seconds } = answer;
  if (type !== 'bearer' || accessToken.length > LONGEST_TOKEN || !VISIBLE.test(accessToken)) return null;
  const lifetimeSeconds = Math.min(seconds ?? DEFAULT_LIFETIME_SECONDS, LONGEST_LIFETIME_SECONDS);
  return { accessToken, lifetimeSeconds };
}
