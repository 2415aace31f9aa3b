import { randomUUID } from 'node:crypto';
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { clientContext, grantContext } from './seal-contexts.js';

/** The service as it is known to one authorization server. */
export interface OauthClient {
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
  client: OauthClient;
  /** The resource indicator of the server (RFC 8707). */
  resource: string;
  /** Null when the authorization server gave none: the grant then ends with its access token. */
  refreshToken: string | null;
}

/** Who signed in where, which is not secret. */
export interface GrantFacts {
  issuer: string;
  /** As the authorization server granted it, or null where it did not say. */
  scope: string | null;
  /** The id of the user. */
  grantedBy: string | null;
}

/** The grant of a credential set, opened. */
export interface OauthGrant extends StoredGrant {
  /** Changes with each sign-in and each refresh token. */
  version: string;
  issuer: string;
}

/** Stores the grants of credential sets, sealed. A set has one at most: that of the last sign-in. */
@Injectable()
export class OauthGrantsRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly encryption: Encryption,
  ) {}

  /** @throws {SealBroken} */
  async find(credentialSetId: string): Promise<OauthGrant | null> {
    const row = await this.database.row<{ version: string; issuer: string; sealed: string }>(
      'SELECT version, issuer, sealed FROM oauth_grants WHERE credential_set_id = $1',
      [credentialSetId],
    );
    if (!row) return null;
    const opened = this.encryption.open(row.sealed, grantContext(credentialSetId));
    return { ...(JSON.parse(opened) as StoredGrant), version: row.version, issuer: row.issuer };
  }

  /** Returns the version of the grant, or null where there is none. */
  async versionOf(credentialSetId: string): Promise<string | null> {
    const sql = 'SELECT version FROM oauth_grants WHERE credential_set_id = $1';
    return (await this.database.row<{ version: string }>(sql, [credentialSetId]))?.version ?? null;
  }

  /** Locks the grant until the transaction ends, and returns its version. */
  async lock(credentialSetId: string): Promise<string | null> {
    const sql = 'SELECT version FROM oauth_grants WHERE credential_set_id = $1 FOR UPDATE';
    return (await this.database.row<{ version: string }>(sql, [credentialSetId]))?.version ?? null;
  }

  /** Stores the grant of a new sign-in in place of the former one. */
  async put(credentialSetId: string, facts: GrantFacts, grant: StoredGrant): Promise<void> {
    await this.database.change(
      `INSERT INTO oauth_grants (credential_set_id, version, issuer, scope, granted_by, sealed)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (credential_set_id) DO UPDATE SET version = excluded.version, issuer = excluded.issuer,
         scope = excluded.scope, granted_by = excluded.granted_by, granted_at = now(), sealed = excluded.sealed`,
      [
        credentialSetId,
        randomUUID(),
        facts.issuer,
        facts.scope,
        facts.grantedBy,
        this.seal(credentialSetId, grant),
      ],
    );
  }

  /** Stores what became of a grant by a refresh. Returns false when it is no longer the grant of that version. */
  async replace(credentialSetId: string, version: string, grant: StoredGrant): Promise<boolean> {
    const changed = await this.database.change(
      `UPDATE oauth_grants SET version = $3, sealed = $4 WHERE credential_set_id = $1 AND version = $2`,
      [credentialSetId, version, randomUUID(), this.seal(credentialSetId, grant)],
    );
    return changed === 1;
  }

  async delete(credentialSetId: string): Promise<void> {
    await this.database.change('DELETE FROM oauth_grants WHERE credential_set_id = $1', [credentialSetId]);
  }

  /** Nothing but the members of a stored grant is sealed, whatever else the object has. */
  private seal(credentialSetId: string, { metadata, client, resource, refreshToken }: StoredGrant): string {
    const stored: StoredGrant = { metadata, client, resource, refreshToken };
    return this.encryption.seal(JSON.stringify(stored), grantContext(credentialSetId));
  }
}

/** A client whose secret ends sooner is registered again: a sign-in takes up to 10 minutes. */
const LEFT = `interval '15 minutes'`;

/** A client of this age was not registered just now. */
const NEW = `interval '10 minutes'`;

export interface KnownClient {
  client: OauthClient;
  /** Whether its server has had time to forget it. */
  mayBeLost: boolean;
}

/** Stores the clients that the service has registered, one per authorization server and redirect URI. */
@Injectable()
export class OauthClientsRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly encryption: Encryption,
  ) {}

  async find(issuer: string, redirectUri: string): Promise<KnownClient | null> {
    const row = await this.database.row<{ sealed: string; mayBeLost: boolean }>(
      `SELECT sealed, created_at < now() - ${NEW} AS "mayBeLost" FROM oauth_clients
       WHERE issuer = $1 AND redirect_uri = $2 AND (expires_at IS NULL OR expires_at > now() + ${LEFT})`,
      [issuer, redirectUri],
    );
    return row && { client: this.opened(row.sealed, issuer, redirectUri), mayBeLost: row.mayBeLost };
  }

  async put(issuer: string, redirectUri: string, client: OauthClient, expiresAt: Date | null): Promise<void> {
    const sealed = this.encryption.seal(JSON.stringify(client), clientContext(issuer, redirectUri));
    await this.database.change(
      `INSERT INTO oauth_clients AS stored (issuer, redirect_uri, sealed, expires_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (issuer, redirect_uri) DO UPDATE
         SET sealed = excluded.sealed, expires_at = excluded.expires_at, created_at = now()`,
      [issuer, redirectUri, sealed, expiresAt],
    );
  }

  /** Forgets a client that its server no longer knows, unless another one was registered since. */
  async forget(issuer: string, redirectUri: string, { id }: OauthClient): Promise<void> {
    const row = await this.database.row<{ sealed: string }>(
      'SELECT sealed FROM oauth_clients WHERE issuer = $1 AND redirect_uri = $2',
      [issuer, redirectUri],
    );
    if (!row || this.opened(row.sealed, issuer, redirectUri).id !== id) return;
    await this.database.change(
      'DELETE FROM oauth_clients WHERE issuer = $1 AND redirect_uri = $2 AND sealed = $3',
      [issuer, redirectUri, row.sealed],
    );
  }

  private opened(sealed: string, issuer: string, redirectUri: string): OauthClient {
    return JSON.parse(this.encryption.open(sealed, clientContext(issuer, redirectUri))) as OauthClient;
  }
}
