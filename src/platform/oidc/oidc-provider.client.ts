import { Injectable } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import type { IDToken } from 'openid-client';
import { Settings } from '../config/settings.js';
import { PublicAddress } from '../http/origins-and-redirects.js';
import {
  CLOCK_TOLERANCE_SECONDS,
  FRESH_MS,
  OidcDiscoveryClient,
  type Provider,
} from './oidc-discovery.client.js';
import { isClientRefused, refusalOf, SignInRefused } from './sign-in-refusal-reasons.js';
import { type Claims, hasClaim } from './role-of-claims.js';

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

/** The secrets of one sign-in, which bind the answer of the provider to the browser that asked. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** A person whom the provider has authenticated. */
export interface Person {
  issuer: string;
  subject: string;
  /** The session at the provider, which a logout token may name. */
  sid: string | null;
  /** When the person entered credentials there, in seconds since 1970; null where the provider does not say. */
  authTime: number | null;
  issuedAt: number;
  claims: Claims;
}

/** An ID token is issued for the code that the service has just sent, so that it is never old. */
const ID_TOKEN_MAX_AGE_SECONDS = 600;
/** OpenID Connect Core limits `sub` to this many ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** Speaks with the OpenID provider through openid-client (contract §2.9). */
@Injectable()
export class OidcProviderClient {
  constructor(
    private readonly discovery: OidcDiscoveryClient,
    private readonly settings: Settings,
    private readonly address: PublicAddress,
  ) {}

  /**
   * Returns the address at the provider to which the browser is sent.
   * @param confirm whether the person has to enter credentials again
   * @throws {SignInRefused} when the provider gives no usable answer
   */
  async signInUrl({ state, nonce, codeVerifier }: SignInSecrets, confirm: boolean): Promise<URL> {
    try {
      const { configuration } = await this.discovery.provider(FRESH_MS);
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
      return buildAuthorizationUrl(configuration, {
        redirect_uri: this.callbackUrl.href,
        scope: this.settings.oidc!.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(confirm && { prompt: 'login', max_age: '0' }),
      });
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /**
   * Exchanges the code that the browser brought for the person.
   * @throws {SignInRefused} when the provider refused, gives no usable answer, or an answer that fails a check
   */
  async person(query: URLSearchParams, secrets: SignInSecrets, confirm: boolean): Promise<Person> {
    try {
      return await this.exchangeWithPresentSecret(query, secrets, confirm);
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /**
   * Exchanges the code once more where the secret of the client was replaced in its file (contract §9). A provider checks
   * the client before the code, so that the code is still good.
   */
  private async exchangeWithPresentSecret(
    query: URLSearchParams,
    secrets: SignInSecrets,
    confirm: boolean,
  ): Promise<Person> {
    const provider = await this.discovery.provider();
    try {
      return await this.exchange(provider, query, secrets, confirm);
    } catch (error) {
      if (!isClientRefused(error) || !this.settings.oidc!.renewSecret()) throw error;
      return this.exchange(provider, query, secrets, confirm);
    }
  }

  private async exchange(
    provider: Provider,
    query: URLSearchParams,
    { state, nonce, codeVerifier }: SignInSecrets,
    confirm: boolean,
  ): Promise<Person> {
    const { authorizationCodeGrant } = await import('openid-client');
    const url = this.callbackUrl;
    url.search = query.toString();
    const tokens = await authorizationCodeGrant(provider.configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
      // Without the parameter max_age a provider need not say when the person signed in.
      ...(confirm && { maxAge: ID_TOKEN_MAX_AGE_SECONDS }),
    });
    const audience = this.settings.oidc!.clientId;
    // The library trusts the connection to the token endpoint. The signature is checked as well.
    await verifiedClaims(tokens.id_token!, provider, {
      audience,
      maxAge: ID_TOKEN_MAX_AGE_SECONDS,
      trusted: true,
    });
    const claims = tokens.claims()!;
    if (!SUBJECT.test(claims.sub)) throw new SignInRefused('invalid', { error: 'subject' });
    const more = await this.furtherClaims(provider, tokens.access_token, claims);
    return {
      issuer: provider.issuer,
      subject: claims.sub,
      sid: typeof claims['sid'] === 'string' ? claims['sid'] : null,
      authTime: claims.auth_time ?? null,
      issuedAt: claims.iat,
      claims: { ...more, ...claims },
    };
  }

  /** Asks the userinfo endpoint only where the ID token lacks what the service needs. */
  private async furtherClaims(
    { configuration }: Provider,
    accessToken: string,
    idToken: IDToken,
  ): Promise<Claims> {
    const { roleClaim } = this.settings.oidc!;
    const needed = ['email', ...(roleClaim === null ? [] : [roleClaim])];
    const isComplete = needed.every((name) => hasClaim(idToken, name));
    if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    const { fetchUserInfo } = await import('openid-client');
    return fetchUserInfo(configuration, accessToken, idToken.sub);
  }

  private get callbackUrl(): URL {
    return new URL(`${this.address.url}/api/auth/oidc/callback`);
  }
}
