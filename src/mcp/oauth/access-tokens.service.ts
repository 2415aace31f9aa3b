import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { SecretRegister } from '../../platform/encryption/masking.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import type { AccessToken } from '../processes/server-description-and-limits.js';
import { OauthToken, tokenContext } from './oauth.entities.js';
import type { IssuedToken } from './token-endpoint.client.js';

/** A token as it is stored. */
export interface StoredToken {
  id: string;
  sealed: string;
  /** Milliseconds until it has to be replaced, by the clock of the database. */
  usableMs: number;
}

/** A token to be stored. */
export interface SealedToken {
  id: string;
  sealed: string;
  usableSeconds: number;
}

/** The credential set of a token, and the revision of the values with which it was requested. */
export interface TokenOwner {
  credentialSetId: string;
  processRevision: string;
}

/** Longer than a request of a token takes: the next process then takes its place. */
const CLAIM = `interval '60 seconds'`;

/** SQL, with a parameter. */
const USABLE_UNTIL = `now() + :usableSeconds * interval '1 second'`;

/** What a token that was stored does to a claim. */
const UNCLAIMED = { claim: null, claimedUntil: null };

/** Stores access tokens, one per credential set, and decides which process requests the next one. */
@Injectable()
export class OauthTokenRepository extends Repository<OauthToken> {
  constructor(@InjectDataSource() source: DataSource) {
    super(OauthToken, source.manager);
  }

  /** Returns the token of these values that can be used now, or null. */
  async usable({ credentialSetId, processRevision }: TokenOwner): Promise<StoredToken | null> {
    const token = await this.createQueryBuilder('t')
      .select('t.token_id', 'id')
      .addSelect('t.sealed', 'sealed')
      .addSelect('(extract(epoch FROM t.usable_until - now()) * 1000)::float', 'usableMs')
      .where({ credentialSetId, processRevision })
      .andWhere('t.usable_until > now()')
      .getRawOne<StoredToken>();
    return token ?? null;
  }

  /**
   * SQL: an upsert with a condition of the stored row. Claims the next request of a token. Returns false while another one has
   * it, or once a usable token is there.
   */
  async claim({ credentialSetId, processRevision }: TokenOwner, claim: string): Promise<boolean> {
    const claimed = await this.query<object[]>(
      `INSERT INTO oauth_tokens AS stored (credential_set_id, claim, claimed_until)
       VALUES ($1, $2, now() + ${CLAIM})
       ON CONFLICT (credential_set_id, name) DO UPDATE SET claim = excluded.claim, claimed_until = excluded.claimed_until
       WHERE (stored.claim IS NULL OR stored.claimed_until <= now())
         AND NOT coalesce(stored.process_revision = $3 AND stored.usable_until > now(), false)
       RETURNING claim`,
      [credentialSetId, claim, processRevision],
    );
    return claimed.length === 1;
  }

  /** Stores the token that the claim was for. Returns false where another process has taken its place. */
  async store(
    { credentialSetId, processRevision }: TokenOwner,
    claim: string,
    { id: tokenId, sealed, usableSeconds }: SealedToken,
  ): Promise<boolean> {
    const { affected } = await this.createQueryBuilder()
      .update()
      .set({ sealed, tokenId, processRevision, usableUntil: () => USABLE_UNTIL, ...UNCLAIMED })
      .where({ credentialSetId, claim })
      .setParameter('usableSeconds', usableSeconds)
      .execute();
    return affected === 1;
  }

  /** Stores the token of the grant that was just stored, and ends all claims: they are of a former grant. */
  async put(
    { credentialSetId, processRevision }: TokenOwner,
    { id: tokenId, sealed, usableSeconds }: SealedToken,
  ): Promise<void> {
    await this.createQueryBuilder()
      .insert()
      .values({
        ...{ credentialSetId, sealed, tokenId, processRevision, ...UNCLAIMED },
        usableUntil: () => USABLE_UNTIL,
      })
      .orUpdate(
        ['sealed', 'token_id', 'process_revision', 'usable_until', 'claim', 'claimed_until'],
        ['credential_set_id', 'name'],
      )
      .setParameter('usableSeconds', usableSeconds)
      .execute();
  }

  async release({ credentialSetId }: TokenOwner, claim: string): Promise<void> {
    await this.update({ credentialSetId, claim }, UNCLAIMED);
  }
}

/** What an authorization server answered. */
export interface TokenAnswer extends IssuedToken {
  /**
   * Stores the token with all else that the answer changes. Returns false where the answer came too late: for a claim
   * that another process has taken over, or for a former sign-in.
   */
  store(claim: string, token: SealedToken): Promise<boolean>;
}

/** Requests a token; null where the stored one has to be looked for again. */
export type RequestToken = () => Promise<TokenAnswer | null>;

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
    private readonly tokens: OauthTokenRepository,
    private readonly encryption: Encryption,
    private readonly secrets: SecretRegister,
  ) {}

  /**
   * Returns the token of a set; `request` gets the next one where there is none. A read that began before the refusal may
   * bring the refused token back to memory, so it is compared at the end.
   * @param refusedId the id of a token that the server has refused
   */
  async token(owner: TokenOwner, request: RequestToken, refusedId?: string): Promise<AccessToken> {
    if (refusedId !== undefined) {
      // Unless it was replaced already.
      const refused = { credentialSetId: owner.credentialSetId, tokenId: refusedId };
      await this.tokens.update(refused, { usableUntil: () => 'now()' });
    }
    for (;;) {
      const token = await this.current(owner, request);
      if (token.id !== refusedId) return token;
      this.kept.delete(owner.credentialSetId);
    }
  }

  /**
   * Stores the token that came with a sign-in, within its transaction; `processRevision` is that of the signed-in set.
   * A request for a token of the former grant that is on its way loses its claim.
   */
  async putFirst(owner: TokenOwner, issued: IssuedToken): Promise<void> {
    await this.tokens.put(owner, this.sealed(owner, issued));
  }

  private current(owner: TokenOwner, request: RequestToken): Promise<AccessToken> {
    const kept = this.kept.get(owner.credentialSetId);
    const isFit = kept?.owner.processRevision === owner.processRevision && kept.until > performance.now();
    if (isFit) return Promise.resolve(kept.token);
    const key = `${owner.credentialSetId} ${owner.processRevision}`;
    const wait = this.waits.get(key) ?? this.obtain(owner, request).finally(() => this.waits.delete(key));
    this.waits.set(key, wait);
    return wait;
  }

  private async obtain(owner: TokenOwner, request: RequestToken): Promise<AccessToken> {
    const end = performance.now() + PATIENCE_MS;
    while (performance.now() < end) {
      const stored = await this.stored(owner);
      if (stored) return stored;
      const claim = randomUUID();
      const isClaimed = await this.tokens.claim(owner, claim);
      const requested = isClaimed ? await this.request(owner, request, claim) : null;
      if (requested) return requested;
      await pause(LOOK_MS);
    }
    throw new McpUnavailable('busy', 'The service is still signing in to this server. Try again.', 10);
  }

  private async stored(owner: TokenOwner): Promise<AccessToken | null> {
    const row = await this.tokens.usable(owner);
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

  /**
   * A claim ends with its request, however that ends. A process that dies here delays the others by the claim's time.
   * The token is stored before it is used: a crash must not leave a token in use whose refresh token is lost.
   */
  private async request(
    owner: TokenOwner,
    request: RequestToken,
    claim: string,
  ): Promise<AccessToken | null> {
    try {
      const answer = await request();
      const token = answer && this.sealed(owner, answer);
      if (answer && token && (await answer.store(claim, token))) {
        const { id, usableSeconds } = token;
        return this.keep(owner, { id, value: answer.accessToken }, usableSeconds * 1_000);
      }
    } catch (error) {
      await this.tokens.release(owner, claim);
      throw error;
    }
    await this.tokens.release(owner, claim);
    return null;
  }

  private sealed(
    { credentialSetId }: TokenOwner,
    { accessToken, lifetimeSeconds }: IssuedToken,
  ): SealedToken {
    return {
      id: randomUUID(),
      sealed: this.encryption.seal(accessToken, tokenContext(credentialSetId)),
      usableSeconds: Math.max(lifetimeSeconds - MARGIN_SECONDS, lifetimeSeconds / 2),
    };
  }
}

function tokenOwner(credentialSetId: string): string {
  return `${credentialSetId} token`;
}
