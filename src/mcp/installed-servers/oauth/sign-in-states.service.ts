import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../../platform/database/transactions.service.js';
import { SYSTEM } from '../../../platform/journal/journal-context.js';
import { JournalService } from '../../../platform/journal/journal.service.js';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import type { CredentialSetRow } from '../credential-sets/credential-set-row.js';
import { CredentialSetsRepository } from '../credential-sets/credential-sets.repository.js';
import { OauthGrantsRepository, type OauthGrant } from './oauth-grants.repository.js';
import { OauthTokensRepository } from './oauth-tokens.repository.js';
import { clientVariablesOf, demandsSignIn } from './sign-in-demand.js';

export const NO_SIGN_IN = 'No one has signed in yet.';
export const SIGN_IN_ENDED = 'The sign-in has ended.';

/** Marks credential sets with which a person has to sign in (contract §3.7). */
@Injectable()
export class SignInStatesService {
  constructor(
    private readonly sets: CredentialSetsRepository,
    private readonly grants: OauthGrantsRepository,
    private readonly tokens: OauthTokensRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /**
   * Ends the sign-in of a set and marks the set. Changes nothing and returns false where the set has another sign-in by
   * now: what is known of the former one says nothing about it.
   * @param grant the grant that does not work any more; null where there was none
   * @param reason a sentence for an Admin
   */
  needSignIn(setId: string, grant: OauthGrant | null, reason: string): Promise<boolean> {
    return this.transactions.run(async () => {
      if (grant && !(await this.grants.replace(setId, grant.version, { ...grant, refreshToken: null })))
        return false;
      // A sign-in that ends meanwhile holds this row until the grant can be seen.
      const set = await this.sets.lock(setId);
      if (!set || (!grant && (await this.grants.isStored(setId)))) return false;
      await this.tokens.delete(setId);
      await this.mark(set, reason);
      return true;
    });
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
    if (changed.some((variable) => client.includes(variable))) await this.grants.delete(id);
    if (!demandsSignIn(entry)) return;
    const isStored = await this.grants.isStored(id);
    if (isStored && before !== 'sign_in_needed') return;
    const set = await this.sets.lock(id);
    if (set) await this.mark(set, isStored ? SIGN_IN_ENDED : NO_SIGN_IN);
  }

  /** Forgets the sign-ins of a server whose entry admits none any more. */
  async forget(serverId: string): Promise<void> {
    for (const set of await this.sets.list(serverId)) {
      await this.grants.delete(set.id);
      if (set.status === 'sign_in_needed') await this.sets.revise(set.id);
    }
  }

  /** A set with another status than ready keeps it: it is revoked, or marked already. */
  private async mark({ id, serverId, name }: CredentialSetRow, reason: string): Promise<void> {
    if (!(await this.sets.needSignIn(id, reason))) return;
    await this.journal.record({
      type: 'mcp.credentials.sign_in_needed',
      subject: { type: 'server', id: serverId },
      data: { credentialSet: name, reason },
      actor: SYSTEM,
    });
  }
}
