import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK } from 'jose';
import { canary } from '../canary.js';

type Json = Record<string, unknown>;

/** What a token says beside, or in place of, the claims that are right. */
export interface Forgery {
  claims?: Json;
  /** Seconds that the provider's clock is ahead. */
  skew?: number;
  signedWith?: 'its own key' | 'another key' | 'the client secret' | 'none';
}

/** A provider that answers as a test wants it to, with a key of its own: for answers that no real provider would give. */
export class ForgingProvider {
  issuer = '';
  readonly clientId = 'awp';
  readonly clientSecret = canary('the secret of the client at the forging provider');
  readonly code = canary('an authorization code');
  readonly accessToken = canary('an-access-token');
  /** Members of the metadata beside, or in place of, the right ones. */
  metadata: Json = {};
  /** The next ID token. */
  forgery: Forgery = {};
  /** Replaces the answer of the token endpoint. */
  /** What happens before a code is answered. */
  duringExchange: (() => Promise<unknown>) | null = null;
  tokenAnswer: { status: number; body: string; type?: string } | null = null;
  keysAsked = 0;
  codesTaken = 0;
  /** The form that the token endpoint received last. */
  tokenRequest = new URLSearchParams();
  /** What the login of the service asked for last. */
  private asked = new URLSearchParams();
  private key!: { privateKey: CryptoKey; jwk: JWK };
  private other!: CryptoKey;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<this> {
    this.key = await makeKey();
    this.other = (await generateKeyPair('RS256')).privateKey;
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    this.issuer = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  get settings(): Record<string, string> {
    return { OIDC_ISSUER: this.issuer, OIDC_CLIENT_ID: this.clientId, OIDC_CLIENT_SECRET: this.clientSecret };
  }

  /** Forgets what a test set. */
  reset(): void {
    this.metadata = {};
    this.forgery = {};
    this.tokenAnswer = null;
    this.duringExchange = null;
  }

  async rotate(): Promise<void> {
    this.key = await makeKey();
  }

  /** Returns the query with which the browser comes back from the address of the login. */
  answerTo(loginUrl: string, more: Record<string, string> = {}): string {
    this.asked = new URL(loginUrl).searchParams;
    const answer = { code: this.code, state: this.asked.get('state')!, iss: this.issuer, ...more };
    return `?${new URLSearchParams(answer).toString()}`;
  }

  logoutToken(claims: Json, forgery: Omit<Forgery, 'claims'> = {}): Promise<string> {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const jti = crypto.randomUUID();
    return this.token({ events, jti, ...claims }, forgery, 'logout+jwt');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: string, type = 'application/json') =>
      response.writeHead(status, { 'content-type': type }).end(body);
    if (request.url === '/keys') {
      this.keysAsked += 1;
      send(200, JSON.stringify({ keys: [this.key.jwk] }));
    } else if (request.url === '/token') {
      let form = '';
      for await (const chunk of request) form += String(chunk);
      this.tokenRequest = new URLSearchParams(form);
      this.codesTaken += 1;
      await this.duringExchange?.();
      const { status, body, type } = this.tokenAnswer ?? { status: 200, body: await this.tokens() };
      send(status, body, type);
    } else send(200, JSON.stringify(this.wholeMetadata));
  }

  private async tokens(): Promise<string> {
    const { claims, ...forgery } = this.forgery;
    const nonce = this.asked.get('nonce');
    const id_token = await this.token(
      { sub: 'mallory', nonce, email: 'mallory@acme.example', ...claims },
      forgery,
      'JWT',
    );
    return JSON.stringify({ access_token: this.accessToken, token_type: 'Bearer', expires_in: 60, id_token });
  }

  private get wholeMetadata(): Json {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['RS256'],
      ...this.metadata,
    };
  }

  private async token(
    claims: Json,
    { skew = 0, signedWith = 'its own key' }: Forgery,
    typ: string,
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1_000) + skew;
    const secret = canary('in a token');
    const whole = { iss: this.issuer, aud: this.clientId, iat: now, exp: now + 120, secret, ...claims };
    // A claim of `undefined` is left out.
    const payload = JSON.parse(JSON.stringify(whole)) as Json;
    if (signedWith === 'none') return new UnsecuredJWT(payload).encode();
    const isSecret = signedWith === 'the client secret';
    const header = { alg: isSecret ? 'HS256' : 'RS256', kid: this.key.jwk.kid!, typ };
    const key = isSecret
      ? new TextEncoder().encode(this.clientSecret)
      : signedWith === 'another key'
        ? this.other
        : this.key.privateKey;
    return new SignJWT(payload).setProtectedHeader(header).sign(key);
  }
}

async function makeKey(): Promise<{ privateKey: CryptoKey; jwk: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  return {
    privateKey,
    jwk: { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: crypto.randomUUID() },
  };
}
