import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, IsNull, Repository } from 'typeorm';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { NotFound } from '../../platform/http/problem.js';
import type { StoredGrant } from './oauth-grant-and-client.repository.js';
import { OauthSignIn, signInContext } from './oauth.entities.js';

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
export interface NewSignIn extends Pick<OauthSignIn, 'credentialSetId' | 'userId' | 'returnTo'> {
  /** The key with which it began: that of elevated mode belongs to a session. */
  keyId: string;
}

export type OpenSignIn = SignInSecrets & Pick<OauthSignIn, 'stateHash' | 'credentialSetId' | 'returnTo'>;

export const SIGN_IN_MINUTES = 10;
const LIFE = `interval '${SIGN_IN_MINUTES} minutes'`;
/** Of one credential set: the oldest are given up for newer ones. */
const MOST_OPEN = 20;
const BATCH = 5_000;

/** Stores sign-ins on their way, so that the answer may reach any process, and only once. */
@Injectable()
export class OauthSignInRepository extends Repository<OauthSignIn> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly encryption: Encryption,
  ) {
    super(OauthSignIn, source.manager);
  }

  /**
   * SQL: an insert from a select, and a delete beyond an offset.
   * @returns when it ends @throws {NotFound} when the key, and so the session, has ended meanwhile
   */
  async begin(stateHash: Buffer, signIn: NewSignIn, secrets: SignInSecrets): Promise<Date> {
    const { credentialSetId, userId, keyId, returnTo } = signIn;
    const { metadata, client, redirectUri, resource, codeVerifier, scope } = secrets;
    const stored: SignInSecrets = { metadata, client, redirectUri, resource, codeVerifier, scope };
    const sealed = this.encryption.seal(JSON.stringify(stored), signInContext(credentialSetId, stateHash));
    await this.query(
      `DELETE FROM oauth_sign_ins WHERE state_hash IN (
         SELECT state_hash FROM oauth_sign_ins WHERE credential_set_id = $1
         ORDER BY created_at DESC OFFSET ${MOST_OPEN - 1})`,
      [credentialSetId],
    );
    const [row] = await this.query<{ expiresAt: Date }[]>(
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
    const { raw } = await this.createQueryBuilder()
      .update()
      .set({ usedAt: () => 'now()' })
      .where({ stateHash, userId, usedAt: IsNull() })
      .andWhere('(session_id IS NULL OR session_id = :sessionId)', { sessionId })
      .andWhere(`created_at > now() - ${LIFE}`)
      .returning(['credentialSetId', 'returnTo', 'sealed'])
      .execute();
    const [row] = raw as { credential_set_id: string; return_to: string; sealed: string }[];
    if (!row) return null;
    const { credential_set_id: credentialSetId, return_to: returnTo, sealed } = row;
    return { ...this.opened(sealed, credentialSetId, stateHash), credentialSetId, returnTo, stateHash };
  }

  /** Returns the ids of the clients with which sign-ins of a set have begun that have not come back. */
  async openClients(credentialSetId: string): Promise<Set<string>> {
    const open = await this.createQueryBuilder('s')
      .select(['s.stateHash', 's.sealed'])
      .where({ credentialSetId, usedAt: IsNull() })
      .andWhere(`s.created_at > now() - ${LIFE}`)
      .getMany();
    return new Set(
      open.map(({ stateHash, sealed }) => this.opened(sealed, credentialSetId, stateHash).client.id),
    );
  }

  /** SQL: a delete with a limit. */
  async sweep(): Promise<number> {
    const old = `SELECT state_hash FROM oauth_sign_ins WHERE created_at <= now() - ${LIFE} LIMIT ${BATCH}`;
    const [, deleted] = await this.query<[unknown, number]>(
      `DELETE FROM oauth_sign_ins WHERE state_hash = ANY(ARRAY(${old}))`,
    );
    return deleted;
  }

  private opened(sealed: string, credentialSetId: string, stateHash: Buffer): SignInSecrets {
    return JSON.parse(
      this.encryption.open(sealed, signInContext(credentialSetId, stateHash)),
    ) as SignInSecrets;
  }
}
