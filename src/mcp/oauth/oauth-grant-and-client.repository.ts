import { randomUUID } from 'node:crypto';
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { clientContext, grantContext, OauthClient, OauthGrant } from './oauth.entities.js';

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

  async put(
    issuer: string,
    redirectUri: string,
    client: ClientIdentity,
    expiresAt: Date | null,
  ): Promise<void> {
    const sealed = this.encryption.seal(JSON.stringify(client), clientContext(issuer, redirectUri));
    await this.upsert({ issuer, redirectUri, sealed, expiresAt, createdAt: () => 'now()' }, [
      'issuer',
      'redirectUri',
    ]);
  }

  /** Forgets a client that its server no longer knows, unless another one was registered since. */
  async forget(issuer: string, redirectUri: string, { id }: ClientIdentity): Promise<void> {
    const stored = await this.findOneBy({ issuer, redirectUri });
    if (!stored || this.opened(stored.sealed, issuer, redirectUri).id !== id) return;
    await this.delete({ issuer, redirectUri, sealed: stored.sealed });
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
