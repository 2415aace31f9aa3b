import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { JournalService, SYSTEM } from '../../platform/journal/journal.service.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { variablesOf } from '../catalog/placeholders.js';
import {
  CredentialSetRepository,
  type CredentialSetRow,
} from '../server-records/credential-set.repository.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import { GrantRevocationsService } from './grant-revocations.service.js';
import { OauthGrantRepository, type OpenedGrant } from './oauth-grant-and-client.repository.js';
import { OauthSignInRepository } from './oauth-sign-in.repository.js';
import { OauthTokenRepository } from './oauth-token.repository.js';
import { demandsSignIn } from './sign-in-offer.js';

/** The variables of the client with which a person signs in: a grant of another client is worth nothing. */
export function clientVariablesOf(entry: CatalogEntry): string[] {
  const oauth = entry.transport === 'stdio' ? null : entry.manifest.oauth;
  if (oauth?.grant !== 'authorization_code') return [];
  return [oauth.clientId, oauth.clientSecret].flatMap((template) => variablesOf(template ?? ''));
}

export const NO_SIGN_IN = 'No one has signed in yet.';
export const SIGN_IN_ENDED = 'The sign-in has ended.';

/** A connection that uses a credential set. */
export interface SetUser {
  serverId: string;
  credentialSetId: string;
  /** Of the values and the entry that it works with. */
  processRevision: string;
}

/** Marks credential sets with which a person has to sign in (contract §3.7). */
@Injectable()
export class SignInNeededService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly sets: CredentialSetRepository,
    private readonly grants: OauthGrantRepository,
    private readonly revocations: GrantRevocationsService,
    private readonly signIns: OauthSignInRepository,
    private readonly tokens: OauthTokenRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /**
   * Ends the sign-in of a set and marks the set. Changes nothing and returns false where the set has another sign-in or
   * other values by now: what is known of the former ones says nothing about them.
   * @param grant the grant that does not work any more; null where there was none
   * @param reason a sentence for an Admin
   */
  needSignIn(user: SetUser, grant: OpenedGrant | null, reason: string): Promise<boolean> {
    const { credentialSetId: id } = user;
    return this.transactions.run(async () => {
      // In the order of a sign-in: the grant, then the set. A first sign-in holds the set until its grant can be seen.
      const locked = await this.grants.versionOf(id, true);
      const set = await this.sets.lock(id);
      const version = locked ?? (await this.grants.versionOf(id));
      if (!set || version !== (grant?.version ?? null) || !(await this.isCurrent(user))) return false;
      if (grant) await this.grants.replace(id, grant.version, { ...grant, refreshToken: null });
      await this.tokens.delete({ credentialSetId: id });
      await this.mark(set, reason);
      return true;
    });
  }

  /** Whether the set has the values with which this connection works, and its server the same entry. */
  async isCurrent({ serverId, credentialSetId, processRevision }: SetUser): Promise<boolean> {
    return (await this.servers.processRevision(serverId, credentialSetId)) === processRevision;
  }

  /** Deletes the sign-in of a set with its tokens, and gives up the sign-ins that have begun. */
  async end(credentialSetId: string): Promise<void> {
    await this.revocations.revokeLater([credentialSetId]);
    await this.grants.delete({ credentialSetId });
    await this.tokens.delete({ credentialSetId });
    // Also those whose code is being exchanged.
    await this.signIns.delete({ credentialSetId });
  }

  /**
   * Marks a set that is new, or has new values, where its entry demands a sign-in and there is none that works.
   * @param before its status before that; a new set is ready
   */
  async demand(
    { id, status: before }: Pick<CredentialSetRow, 'id' | 'status'>,
    entry: CatalogEntry,
    changed: string[] = [],
  ): Promise<void> {
    const client = clientVariablesOf(entry);
    if (changed.some((variable) => client.includes(variable))) await this.end(id);
    if (!demandsSignIn(entry)) return;
    const isStored = (await this.grants.versionOf(id)) !== null;
    if (isStored && before !== 'sign_in_needed') return;
    const set = await this.sets.lock(id);
    if (set) await this.mark(set, isStored ? SIGN_IN_ENDED : NO_SIGN_IN);
  }

  /** Forgets the sign-ins of a server whose entry admits none any more. */
  async forget(serverId: string): Promise<void> {
    for (const set of await this.sets.list(serverId)) {
      await this.end(set.id);
      if (set.status === 'sign_in_needed') await this.sets.revise(set.id);
    }
  }

  /** A set with another status than ready keeps it: it is revoked, or marked already. */
  private async mark({ id, serverId, name }: CredentialSetRow, reason: string): Promise<void> {
    if (!(await this.sets.mark(id, 'sign_in_needed', reason))) return;
    await this.journal.record({
      type: 'mcp.credentials.sign_in_needed',
      subject: { type: 'server', id: serverId },
      data: { credentialSet: name, reason },
      actor: SYSTEM,
    });
  }
}
