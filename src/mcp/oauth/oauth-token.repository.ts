import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';

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

/** Stores access tokens, one per credential set, and decides which process requests the next one. */
@Injectable()
export class OauthTokensRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the token of these values that can be used now, or null. */
  find({ credentialSetId, processRevision }: TokenOwner): Promise<StoredToken | null> {
    return this.database.row<StoredToken>(
      `SELECT token_id AS id, sealed,
         (extract(epoch FROM usable_until - now()) * 1000)::float AS "usableMs"
       FROM oauth_tokens
       WHERE credential_set_id = $1 AND process_revision = $2 AND usable_until > now()`,
      [credentialSetId, processRevision],
    );
  }

  /** Claims the next request of a token. Returns false while another one has it, or once a usable token is there. */
  async claim({ credentialSetId, processRevision }: TokenOwner, claim: string): Promise<boolean> {
    const changed = await this.database.change(
      `INSERT INTO oauth_tokens AS stored (credential_set_id, claim, claimed_until)
       VALUES ($1, $2, now() + ${CLAIM})
       ON CONFLICT (credential_set_id, name) DO UPDATE SET claim = excluded.claim, claimed_until = excluded.claimed_until
       WHERE (stored.claim IS NULL OR stored.claimed_until <= now())
         AND NOT coalesce(stored.process_revision = $3 AND stored.usable_until > now(), false)`,
      [credentialSetId, claim, processRevision],
    );
    return changed === 1;
  }

  /** Stores the token that the claim was for. Returns false where another process has taken its place. */
  async store(
    { credentialSetId, processRevision }: TokenOwner,
    claim: string,
    token: SealedToken,
  ): Promise<boolean> {
    const changed = await this.database.change(
      `UPDATE oauth_tokens SET sealed = $3, token_id = $4, process_revision = $5,
         usable_until = now() + $6 * interval '1 second', claim = NULL, claimed_until = NULL
       WHERE credential_set_id = $1 AND claim = $2`,
      [credentialSetId, claim, token.sealed, token.id, processRevision, token.usableSeconds],
    );
    return changed === 1;
  }

  /** Stores the token of the grant that was just stored, and ends all claims: they are of a former grant. */
  async put({ credentialSetId, processRevision }: TokenOwner, token: SealedToken): Promise<void> {
    await this.database.change(
      `INSERT INTO oauth_tokens (credential_set_id, sealed, token_id, process_revision, usable_until)
       VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')
       ON CONFLICT (credential_set_id, name) DO UPDATE SET sealed = excluded.sealed, token_id = excluded.token_id,
         process_revision = excluded.process_revision, usable_until = excluded.usable_until,
         claim = NULL, claimed_until = NULL`,
      [credentialSetId, token.sealed, token.id, processRevision, token.usableSeconds],
    );
  }

  async release({ credentialSetId }: TokenOwner, claim: string): Promise<void> {
    await this.database.change(
      `UPDATE oauth_tokens SET claim = NULL, claimed_until = NULL WHERE credential_set_id = $1 AND claim = $2`,
      [credentialSetId, claim],
    );
  }

  /** Returns the id of the stored token, usable or not. */
  async idOf(credentialSetId: string): Promise<string | null> {
    const row = await this.database.row<{ id: string | null }>(
      'SELECT token_id AS id FROM oauth_tokens WHERE credential_set_id = $1',
      [credentialSetId],
    );
    return row?.id ?? null;
  }

  async delete(credentialSetId: string): Promise<void> {
    await this.database.change('DELETE FROM oauth_tokens WHERE credential_set_id = $1', [credentialSetId]);
  }

  /** Ends a token that the server has refused, unless it was replaced already. */
  async expire({ credentialSetId }: TokenOwner, tokenId: string): Promise<void> {
    await this.database.change(
      `UPDATE oauth_tokens SET usable_until = now() WHERE credential_set_id = $1 AND token_id = $2`,
      [credentialSetId, tokenId],
    );
  }
}
