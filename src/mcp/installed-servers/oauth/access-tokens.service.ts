import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Encryption } from '../../../platform/encryption/encryption.service.js';
import { SecretRegister } from '../../../platform/encryption/secret-register.js';
import { McpUnavailable } from '../../processes/connection/mcp-errors.js';
import type { AccessToken, TokenSource } from '../../processes/server-description.js';
import { ClientCredentialsClient, type IssuedToken, type TokenRequest } from './client-credentials.client.js';
import { OauthTokensRepository, type TokenOwner } from './oauth-tokens.repository.js';
import { tokenContext } from './seal-contexts.js';

/** How long a request waits for the token that another process requests, and how often it looks. */
const PATIENCE_MS = 65_000;
const LOOK_MS = 100;
/** A token in memory is compared with the stored one this often: another process may have learned that it is refused. */
const MEMORY_MS = 30_000;

/** A token is replaced this long before it expires, so that no request arrives with an expired one. */
const MARGIN_SECONDS = 15;

interface Kept {
  token: AccessToken;
  owner: TokenOwner;
  /** By the clock of `performance.now()`. */
  until: number;
}

/**
 * Gives the access tokens of credential sets. All calls of all processes together request one token per expiry: the
 * calls of a process share one wait, and the processes a claim in the database (contract §3.7).
 */
@Injectable()
export class AccessTokensService {
  private readonly kept = new Map<string, Kept>();
  private readonly waits = new Map<string, Promise<AccessToken>>();

  constructor(
    private readonly tokens: OauthTokensRepository,
    private readonly client: ClientCredentialsClient,
    private readonly encryption: Encryption,
    private readonly secrets: SecretRegister,
  ) {}

  /** Returns the source of tokens for one connection. */
  sourceFor(owner: TokenOwner, request: TokenRequest): TokenSource {
    return { token: (refusedId) => this.token(owner, request, refusedId ?? null) };
  }

  /**
   * Stores the token that came with a sign-in, within its transaction; `processRevision` is that of the signed-in set.
   * A request for a token of the former grant that is on its way loses its claim.
   */
  async putFirst(owner: TokenOwner, issued: IssuedToken): Promise<void> {
    const sealed = this.encryption.seal(issued.accessToken, tokenContext(owner.credentialSetId));
    await this.tokens.put(owner, { id: randomUUID(), sealed, usableSeconds: usableSecondsOf(issued) });
  }

  /** A read that began before the refusal may bring the refused token back to memory, so it is compared at the end. */
  private async token(
    owner: TokenOwner,
    request: TokenRequest,
    refusedId: string | null,
  ): Promise<AccessToken> {
    if (refusedId !== null) await this.tokens.expire(owner, refusedId);
    for (;;) {
      const token = await this.current(owner, request);
      if (token.id !== refusedId) return token;
      this.kept.delete(owner.credentialSetId);
    }
  }

  private current(owner: TokenOwner, request: TokenRequest): Promise<AccessToken> {
    const kept = this.kept.get(owner.credentialSetId);
    const isFit = kept?.owner.processRevision === owner.processRevision && kept.until > performance.now();
    if (isFit) return Promise.resolve(kept.token);
    const key = `${owner.credentialSetId} ${owner.processRevision}`;
    const wait = this.waits.get(key) ?? this.obtain(owner, request).finally(() => this.waits.delete(key));
    this.waits.set(key, wait);
    return wait;
  }

  private async obtain(owner: TokenOwner, request: TokenRequest): Promise<AccessToken> {
    const end = performance.now() + PATIENCE_MS;
    while (performance.now() < end) {
      const stored = await this.stored(owner);
      if (stored) return stored;
      const claim = randomUUID();
      if (await this.tokens.claim(owner, claim)) return this.request(owner, request, claim);
      await pause(LOOK_MS);
    }
    throw new McpUnavailable('busy', 'The service is still signing in to this server. Try again.', 10);
  }

  private async stored(owner: TokenOwner): Promise<AccessToken | null> {
    const row = await this.tokens.find(owner);
    if (!row) return null;
    const value = this.encryption.open(row.sealed, tokenContext(owner.credentialSetId));
    return this.keep(owner, { id: row.id, value }, row.usableMs);
  }

  private keep(owner: TokenOwner, token: AccessToken, usableMs: number): AccessToken {
    this.secrets.set(tokenOwner(owner.credentialSetId), [token.value]);
    const until = performance.now() + Math.min(usableMs, MEMORY_MS);
    this.kept.set(owner.credentialSetId, { token, owner, until });
    return token;
  }

  /** A claim ends with its request, however that ends. A process that dies here delays the others by the claim's time. */
  private async request(owner: TokenOwner, request: TokenRequest, claim: string): Promise<AccessToken> {
    try {
      const issued = await this.client.request(request);
      const value = issued.accessToken;
      const usableSeconds = usableSecondsOf(issued);
      const token = this.keep(owner, { id: randomUUID(), value }, usableSeconds * 1_000);
      const sealed = this.encryption.seal(value, tokenContext(owner.credentialSetId));
      await this.tokens.store(owner, claim, { id: token.id, sealed, usableSeconds });
      return token;
    } catch (error) {
      await this.tokens.release(owner, claim);
      throw error;
    }
  }
}

function tokenOwner(credentialSetId: string): string {
  return `${credentialSetId} token`;
}

function usableSecondsOf({ lifetimeSeconds }: IssuedToken): number {
  return Math.max(lifetimeSeconds - MARGIN_SECONDS, lifetimeSeconds / 2);
}
