import { randomUUID } from 'node:crypto';
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, IsNull, Repository } from 'typeorm';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { NotFound } from '../../platform/http/problem.js';
import {
  clientContext,
  grantContext,
  OauthClient,
  OauthGrant,
  OauthSignIn,
  signInContext,
} from './oauth.entities.js';

/** The service as it is known to one authorization server. */
export interface ClientIdentity {
  id: string;
  secret: string | null;
  /** How it authenticates at the token endpoint, as in the metadata of RFC 8414. */
  method: 'none' | 'client_secret_basic' | 'client_secret_post';
  source: 'static' | 'document' | 'registered';
}

/** What a request for a new access token needs. It is stored sealed. */
export interface StoredGrant {
  /** Of the authorization server, as it was when a person signed in. */
  metadata: AuthorizationServerMetadata;
  client: ClientIdentity;
  /** The resource indicator of the server (RFC 8707). */
  resource: string;
  /** Null when the authorization server gave none: the grant then ends with its access token. */
  refreshToken: string | null;
}

/** Who signed in where, which is not secret. The scope is null where the authorization server did not say. */
export type GrantFacts = Pick<OauthGrant, 'issuer' | 'scope' | 'grantedBy'>;

/** The grant of a credential set, opened. */
export type OpenedGrant = StoredGrant & Pick<OauthGrant, 'version' | 'issuer'>;

/** Stores the grants of credential sets, sealed. A set has one at most: that of the last sign-in. */
@Injectable()
export class OauthGrantRepository extends Repository<OauthGrant> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly encryption: Encryption,
  ) {
    super(OauthGrant, source.manager);
  }

  /** @throws {SealBroken} */
  async open(credentialSetId: string): Promise<OpenedGrant | null> {
    const row = await this.findOneBy({ credentialSetId });
    if (!row) return null;
    const opened = this.encryption.open(row.sealed, grantContext(credentialSetId));
    return { ...(JSON.parse(opened) as StoredGrant), version: row.version, issuer: row.issuer };
  }

  /**
   * Returns the version of the grant, or null where there is none.
   * @param isLocked locks it until the transaction ends
   */
  async versionOf(credentialSetId: string, isLocked = false): Promise<string | null> {
    const grant = await this.findOne({
      select: { credentialSetId: true, version: true },
      where: { credentialSetId },
      ...(isLocked && { lock: { mode: 'pessimistic_write' } }),
    });
    return grant?.version ?? null;
  }

  /** Stores the grant of a new sign-in in place of the former one. */
  async put(credentialSetId: string, facts: GrantFacts, grant: StoredGrant): Promise<void> {
    const { issuer, scope, grantedBy } = facts;
    const stored = { credentialSetId, issuer, scope, grantedBy, ...this.sealed(credentialSetId, grant) };
    await this.upsert({ ...stored, grantedAt: () => 'now()' }, ['credentialSetId']);
  }

  /** Stores what became of a grant by a refresh. Returns false when it is no longer the grant of that version. */
  async replace(credentialSetId: string, version: string, grant: StoredGrant): Promise<boolean> {
    const { affected } = await this.update({ credentialSetId, version }, this.sealed(credentialSetId, grant));
    return affected === 1;
  }

  /** Nothing but the members of a stored grant is sealed, whatever else the object has. */
  private sealed(
    credentialSetId: string,
    { metadata, client, resource, refreshToken }: StoredGrant,
  ): Pick<OauthGrant, 'version' | 'sealed'> {
    const stored: StoredGrant = { metadata, client, resource, refreshToken };
    const sealed = this.encryption.seal(JSON.stringify(stored), grantContext(credentialSetId));
    return { version: randomUUID(), sealed };
  }
}

/** A client whose secret ends sooner is registered again: a sign-in takes up to 10 minutes. */
const LEFT = `interval '15 minutes'`;

/** A client of this age was not registered just now. */
const NEW = `interval '10 minutes'`;

/** A client of a former address is kept so long: processes change PUBLIC_URL one after the other, or back. */
const KEPT_FORMER = `interval '1 day'`;

export interface KnownClient {
  client: ClientIdentity;
  /** Whether its server has had time to forget it. */
  mayBeLost: boolean;
}

/** Stores the clients that the service has registered, one per authorization server and redirect URI. */
@Injectable()
export class OauthClientRepository extends Repository<OauthClient> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly encryption: Encryption,
  ) {
    super(OauthClient, source.manager);
  }

  async known(issuer: string, redirectUri: string): Promise<KnownClient | null> {
    const row = await this.createQueryBuilder('c')
      .select('c.sealed', 'sealed')
      .addSelect(`c.created_at < now() - ${NEW}`, 'mayBeLost')
      .where({ issuer, redirectUri })
      .andWhere(`(c.expires_at IS NULL OR c.expires_at > now() + ${LEFT})`)
      .getRawOne<{ sealed: string; mayBeLost: boolean }>();
    if (!row) return null;
    return { client: this.opened(row.sealed, issuer, redirectUri), mayBeLost: row.mayBeLost };
  }

  /**
   * Stores a client, unless another process has registered one just now.
   * @returns the client that is stored: with two of them, the server would later know one of two sign-ins and not the other
   */
  async put(
    issuer: string,
    redirectUri: string,
    client: ClientIdentity,
    expiresAt: Date | null,
  ): Promise<ClientIdentity> {
    const sealed = this.encryption.seal(JSON.stringify(client), clientContext(issuer, redirectUri));
    const where = `kept.created_at < now() - ${NEW} OR kept.expires_at <= now() + ${LEFT}`;
    await this.createQueryBuilder('kept')
      .insert()
      .values({ issuer, redirectUri, sealed, expiresAt, createdAt: () => 'now()' })
      .orUpdate(['sealed', 'expires_at', 'created_at'], ['issuer', 'redirect_uri'], {
        overwriteCondition: { where },
      })
      .updateEntity(false)
      .execute();
    return (await this.known(issuer, redirectUri))?.client ?? client;
  }

  /**
   * Forgets a client that its server no longer knows, unless another one was registered since. Whatever its redirect URI: without
   * PUBLIC_URL the process that learns of it may have another address than the one that registered it, or none.
   */
  async forget(issuer: string, { id }: ClientIdentity): Promise<void> {
    for (const { redirectUri, sealed } of await this.findBy({ issuer }))
      if (this.opened(sealed, issuer, redirectUri).id === id)
        await this.delete({ issuer, redirectUri, sealed });
  }

  /** Removes the clients whose redirect URIs do not begin so. They are few: one per authorization server and address. */
  async removeFormer(present: string): Promise<number> {
    const { affected } = await this.createQueryBuilder()
      .delete()
      .where('NOT starts_with(redirect_uri, :present)', { present })
      .andWhere(`created_at < now() - ${KEPT_FORMER}`)
      .execute();
    return affected ?? 0;
  }

  private opened(sealed: string, issuer: string, redirectUri: string): ClientIdentity {
    return JSON.parse(this.encryption.open(sealed, clientContext(issuer, redirectUri))) as ClientIdentity;
  }
}

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
