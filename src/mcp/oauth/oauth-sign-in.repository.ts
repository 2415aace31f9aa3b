import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { NotFound } from '../../platform/http/problem.js';
import type { StoredGrant } from './oauth-grant.repository.js';
import { signInContext } from './seal-contexts.js';

/**
 * What the answer of an authorization server is checked with. It is stored with the sign-in and not read again, so that
 * code and verifier go to the server with which the sign-in began, whatever the answer says.
 */
export interface SignInSecrets extends Pick<StoredGrant, 'metadata' | 'client' | 'resource'> {
  /** Where the answer must arrive. */
  redirectUri: string;
  codeVerifier: string;
  scope: string | null;
}

/** A sign-in on its way: who began it for which credential set, and in which session. */
export interface NewSignIn {
  credentialSetId: string;
  userId: string;
  /** The key with which it began: that of elevated mode belongs to a session. */
  keyId: string;
  returnTo: string;
}

export interface OpenSignIn extends SignInSecrets {
  stateHash: Buffer;
  credentialSetId: string;
  returnTo: string;
}

export const SIGN_IN_MINUTES = 10;
const LIFE = `interval '${SIGN_IN_MINUTES} minutes'`;
/** Of one credential set: the oldest are given up for newer ones. */
const MOST_OPEN = 20;
const BATCH = 5_000;

/** Stores sign-ins on their way, so that the answer may reach any process, and only once. */
@Injectable()
export class OauthSignInsRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly encryption: Encryption,
  ) {}

  /** @returns when it ends @throws {NotFound} when the key, and so the session, has ended meanwhile */
  async insert(stateHash: Buffer, signIn: NewSignIn, secrets: SignInSecrets): Promise<Date> {
    const { credentialSetId, userId, keyId, returnTo } = signIn;
    const { metadata, client, redirectUri, resource, codeVerifier, scope } = secrets;
    const stored: SignInSecrets = { metadata, client, redirectUri, resource, codeVerifier, scope };
    const sealed = this.encryption.seal(JSON.stringify(stored), signInContext(credentialSetId, stateHash));
    await this.database.change(
      `DELETE FROM oauth_sign_ins WHERE state_hash IN (
         SELECT state_hash FROM oauth_sign_ins WHERE credential_set_id = $1
         ORDER BY created_at DESC OFFSET ${MOST_OPEN - 1})`,
      [credentialSetId],
    );
    const row = await this.database.row<{ expiresAt: Date }>(
      `INSERT INTO oauth_sign_ins (state_hash, credential_set_id, user_id, session_id, return_to, sealed)
       SELECT $1, $2, $3, session_id, $5, $6 FROM api_keys WHERE id = $4
       RETURNING created_at + ${LIFE} AS "expiresAt"`,
      [stateHash, credentialSetId, userId, keyId, returnTo, sealed],
    );
    if (!row) throw new NotFound();
    return row.expiresAt;
  }

  /**
   * Takes a sign-in of this user and session; one that began without a session belongs to any session of its user. Its row
   * stays until its grant is stored: who revokes or changes the set meanwhile removes it.
   * @returns null when it is unknown, too old, used, or of another session, which does not use it up
   */
  async take(stateHash: Buffer, userId: string, sessionId: string): Promise<OpenSignIn | null> {
    const row = await this.database.row<{ credentialSetId: string; returnTo: string; sealed: string }>(
      `UPDATE oauth_sign_ins SET used_at = now()
       WHERE state_hash = $1 AND user_id = $2 AND (session_id IS NULL OR session_id = $3)
         AND used_at IS NULL AND created_at > now() - ${LIFE}
       RETURNING credential_set_id AS "credentialSetId", return_to AS "returnTo", sealed`,
      [stateHash, userId, sessionId],
    );
    if (!row) return null;
    const { credentialSetId, returnTo, sealed } = row;
    return { ...this.opened(sealed, credentialSetId, stateHash), credentialSetId, returnTo, stateHash };
  }

  /** Ends a sign-in whose grant is stored in the same transaction. Returns false when it was given up meanwhile. */
  async end({ stateHash }: OpenSignIn): Promise<boolean> {
    return (
      (await this.database.change('DELETE FROM oauth_sign_ins WHERE state_hash = $1', [stateHash])) === 1
    );
  }

  /** Gives up the sign-ins of a set, also those whose code is being exchanged. */
  async giveUp(credentialSetId: string): Promise<void> {
    await this.database.change('DELETE FROM oauth_sign_ins WHERE credential_set_id = $1', [credentialSetId]);
  }

  /** Returns the ids of the clients with which sign-ins of a set have begun that have not come back. */
  async openClients(credentialSetId: string): Promise<Set<string>> {
    const rows = await this.database.rows<{ stateHash: Buffer; sealed: string }>(
      `SELECT state_hash AS "stateHash", sealed FROM oauth_sign_ins
       WHERE credential_set_id = $1 AND used_at IS NULL AND created_at > now() - ${LIFE}`,
      [credentialSetId],
    );
    return new Set(
      rows.map(({ stateHash, sealed }) => this.opened(sealed, credentialSetId, stateHash).client.id),
    );
  }

  sweep(): Promise<number> {
    const old = `SELECT state_hash FROM oauth_sign_ins WHERE created_at <= now() - ${LIFE} LIMIT ${BATCH}`;
    return this.database.change(`DELETE FROM oauth_sign_ins WHERE state_hash = ANY(ARRAY(${old}))`);
  }

  private opened(sealed: string, credentialSetId: string, stateHash: Buffer): SignInSecrets {
    return JSON.parse(
      this.encryption.open(sealed, signInContext(credentialSetId, stateHash)),
    ) as SignInSecrets;
  }
}
