import type { JWTPayload } from 'jose';
import { CLOCK_TOLERANCE_SECONDS, type Provider } from './oidc-discovery.client.js';

/** Signatures by a key pair. With a shared secret, or with none, anybody who knows the client could sign. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** What a token must say beside its signature. */
export interface TokenRules {
  audience: string;
  /** How old it may be, in seconds. */
  maxAge: number;
  /**
   * Whether the token came from the provider itself over a connection that the service opened. An unknown key is then
   * worth a request at once: the provider has a new one.
   */
  trusted: boolean;
}

/**
 * Returns the claims of a token that the provider has signed for this service.
 * @throws {Error} when signature, issuer, audience or times are wrong
 */
export async function verifiedClaims(
  token: string,
  { keys, issuer }: Pick<Provider, 'keys' | 'issuer'>,
  { audience, maxAge, trusted }: TokenRules,
): Promise<JWTPayload> {
  const { errors, jwtVerify } = await import('jose');
  const options = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    maxTokenAge: maxAge,
  };
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!trusted || !(error instanceof errors.JWKSNoMatchingKey)) throw error;
    await keys.reload();
    return (await jwtVerify(token, keys, options)).payload;
  }
}
