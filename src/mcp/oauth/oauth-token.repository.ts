import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { OauthToken } from './oauth.entities.js';

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
