import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../../platform/database/database.service.js';
import { Encryption } from '../../../../platform/encryption/encryption.service.js';
import type { OauthClient } from '../oauth-grants.repository.js';
import { clientContext } from '../seal-contexts.js';

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
