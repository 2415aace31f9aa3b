import { Injectable, Logger } from '@nestjs/common';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { SealBroken } from '../../platform/encryption/key-ring.js';
import { AuthorizationServersClient } from './authorization-servers.client.js';
import { OauthGrantRepository, type StoredGrant } from './oauth-sign-in-grant-and-client.repository.js';
import { refusalCodeOf } from './sign-in-outcomes-and-errors.js';
import { configurationOf } from './token-endpoint.client.js';

/** Revokes refresh tokens that the service deletes, at the authorization servers that take that (RFC 7009). */
@Injectable()
export class GrantRevocationsService {
  private readonly log = new Logger(GrantRevocationsService.name);

  constructor(
    private readonly grants: OauthGrantRepository,
    private readonly servers: AuthorizationServersClient,
    private readonly transactions: TransactionsService,
  ) {}

  /**
   * Revokes the grants of these sets once the running transaction, which deletes them, has committed. Nothing waits for
   * that, and a failure is only logged: the service no longer has the token that it would try again with.
   */
  async revokeLater(credentialSetIds: string[]): Promise<void> {
    const revocable: StoredGrant[] = [];
    for (const id of credentialSetIds) {
      const grant = await this.opened(id);
      if (grant?.refreshToken != null && 'revocation_endpoint' in grant.metadata) revocable.push(grant);
    }
    if (revocable.length > 0) this.transactions.afterCommit(() => void this.revokeAll(revocable));
  }

  /** Revokes a refresh token that arrived after its set, its server or its sign-in had ended. Nothing waits for that. */
  revokeLate(grant: StoredGrant): void {
    if (grant.refreshToken !== null && 'revocation_endpoint' in grant.metadata) void this.revokeAll([grant]);
  }

  /** A grant that cannot be opened any more can be deleted all the same. */
  private async opened(credentialSetId: string): Promise<StoredGrant | null> {
    try {
      return await this.grants.open(credentialSetId);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  private async revokeAll(grants: StoredGrant[]): Promise<void> {
    const { tokenRevocation } = await import('openid-client');
    for (const grant of grants) {
      try {
        const config = await configurationOf(grant, this.servers);
        await tokenRevocation(config, grant.refreshToken!, { token_type_hint: 'refresh_token' });
      } catch (error) {
        const { host } = new URL(grant.metadata.issuer);
        const why = refusalCodeOf(error) ?? 'no usable answer';
        this.log.warn(
          `The authorization server ${host} did not revoke a refresh token (${why}): end the access of this service there.`,
        );
      }
    }
  }
}
