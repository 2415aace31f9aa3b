import { checkResourceAllowed } from '@modelcontextprotocol/client';
import { Injectable, Logger } from '@nestjs/common';
import type { UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { Problem } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { remoteOf } from '../catalog/launch-template.js';
import {
  CredentialsService,
  CredentialValuesService,
} from '../credentials/credentials-and-env-values.service.js';
import { VerificationService } from '../installed-servers/verification.service.js';
import { AccessTokensService } from '../oauth/access-tokens.service.js';
import type { Granted } from '../oauth/authorization-code.client.js';
import {
  OauthGrantRepository,
  OauthSignInRepository,
  type OpenSignIn,
} from '../oauth/oauth-sign-in-grant-and-client.repository.js';
import { SignInRejected } from '../oauth/sign-in-outcomes-and-errors.js';
import { whyNotOffered } from '../oauth/sign-in-needed-offered-and-revoked.service.js';
import {
  CredentialSetRepository,
  type CredentialSetRow,
} from '../server-records/credential-set.repository.js';
import {
  InstalledServerRepository,
  type InstalledServerRow,
} from '../server-records/installed-server.repository.js';
import { DEFAULT_SET } from '../server-records/server-records.entities.js';

/** Stores what a person's sign-in gave a credential set, as new values of the set. */
@Injectable()
export class SignedInGrantsService {
  private readonly log = new Logger(SignedInGrantsService.name);

  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly sets: CredentialSetRepository,
    private readonly credentials: CredentialsService,
    private readonly values: CredentialValuesService,
    private readonly grants: OauthGrantRepository,
    private readonly signIns: OauthSignInRepository,
    private readonly tokens: AccessTokensService,
    private readonly verifications: VerificationService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** @throws {SignInRejected} when set or server have changed so that the grant is not for them */
  async store(open: OpenSignIn, granted: Granted, caller: UserPrincipal): Promise<void> {
    const { issuer } = open.metadata;
    const server = await this.transactions.run(async () => {
      const { set, server: locked } = await this.lock(open.credentialSetId);
      await this.refuseOtherResource(locked, set, open.resource);
      const { stateHash } = open;
      const { affected } = await this.signIns.delete({ stateHash });
      if (affected !== 1) throw new SignInRejected('expired', 'set_changed');
      const facts = { issuer, scope: granted.scope, grantedBy: caller.id };
      await this.grants.put(set.id, facts, { ...open, refreshToken: granted.refreshToken });
      if (set.name === DEFAULT_SET) await this.servers.reviseCredentials(locked.id);
      await this.values.tryAgain(set);
      const processRevision = await this.servers.processRevision(locked.id, set.id);
      await this.tokens.putFirst(
        { credentialSetId: set.id, processRevision: processRevision! },
        granted.token,
      );
      await this.journal.record({
        type: 'mcp.credentials.signed_in',
        subject: { type: 'server', id: locked.id },
        data: { credentialSet: set.name, authorizationServer: issuer },
      });
      return set.name === DEFAULT_SET ? locked : null;
    });
    if (server) this.verifyWhereUnusable(server);
  }

  private async lock(
    credentialSetId: string,
  ): Promise<{ set: CredentialSetRow; server: InstalledServerRow }> {
    const found = await this.sets.findById(credentialSetId);
    const server = found && (await this.servers.lock(found.serverId));
    const set = found && (await this.sets.findById(credentialSetId));
    if (!set || !server) throw new SignInRejected('expired', 'set_deleted');
    return { set, server };
  }

  /** The token would go to whatever address the server has now. */
  private async refuseOtherResource(
    { id, entry }: InstalledServerRow,
    set: CredentialSetRow,
    configuredResource: string,
  ): Promise<void> {
    const row = await this.servers.findSealed(id, set.id);
    if (!row || entry.transport === 'stdio' || whyNotOffered(entry) !== null)
      throw new SignInRejected('expired', 'server_changed');
    try {
      const { url } = remoteOf(entry, this.credentials.open(set.id, row.sealed));
      if (checkResourceAllowed({ requestedResource: url, configuredResource })) return;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
    throw new SignInRejected('expired', 'server_changed');
  }

  /**
   * The set `default` decides whether a server works, which tools it has, and whether attention says that its credentials are
   * refused. The browser does not wait for that.
   */
  private verifyWhereUnusable({ id, status, toolsListedAt, lastVerification }: InstalledServerRow): void {
    const isRefused = lastVerification?.credentials === 'refused';
    if (status === 'disabled' || (status === 'enabled' && toolsListedAt !== null && !isRefused)) return;
    this.verifications
      .verify(id)
      .catch((error: unknown) =>
        this.log.warn(`Server ${id} could not be verified after a sign-in: ${String(error)}`),
      );
  }
}
