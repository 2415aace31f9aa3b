import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../../platform/database/transactions.service.js';
import { NotFound } from '../../../platform/http/problem/problem.js';
import { currentOrigin, SYSTEM } from '../../../platform/journal/journal-context.js';
import { JournalService, type NewJournalEntry } from '../../../platform/journal/journal.service.js';
import type { ServerStatus } from '../installed-server-row.js';
import { CredentialSetsRepository } from '../credential-sets/credential-sets.repository.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';
import { ProcessControlService } from '../running/process-control.service.js';
import { ToolChangesService } from '../tools/tool-changes.service.js';
import { statusAfter } from './verification-result.js';
import type { Verification, VerificationOutcome, VerificationRecord } from './verification.js';
import { VerificationsRepository } from './verifications.repository.js';

/** Stores the results of verifications: the result, the status that follows from it, and the tools. */
@Injectable()
export class VerificationRecordsService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly verifications: VerificationsRepository,
    private readonly sets: CredentialSetsRepository,
    private readonly changes: ToolChangesService,
    private readonly processes: ProcessControlService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /**
   * Changes only the history if the server has a newer revision than the one verified.
   * @throws {NotFound} when the server was removed in the meantime
   */
  async keep(
    serverId: string,
    revision: number,
    { verification, found }: VerificationOutcome,
  ): Promise<VerificationRecord> {
    return this.transactions.run(async () => {
      const before = await this.servers.lock(serverId);
      if (!before) throw new NotFound();
      const by = currentOrigin()?.actor ?? SYSTEM;
      const at = await this.verifications.add(serverId, verification, by);
      const record = { ...verification, at, by };
      if (before.revision !== revision) return record;
      const status = (await this.lacksSignIn(serverId, verification))
        ? before.status
        : statusAfter(before.status, verification);
      const statusReason = status === 'error' ? verification.details : null;
      await this.verifications.keep(serverId, {
        verification: record,
        verdict: found?.verdict ?? null,
        status,
        statusReason,
      });
      if (found) await this.changes.keep(serverId, found.tools);
      if (found) await this.sets.workWithoutSignIn(serverId);
      await this.journal.record(...happeningsOf(serverId, before.status, status, verification));
      this.transactions.afterCommit(() => this.followUp(serverId, before.status, status));
      return record;
    });
  }

  /** Whether only the set `default` failed: the server goes on with the sets with which people have signed in. */
  private async lacksSignIn(serverId: string, { status }: Verification): Promise<boolean> {
    if (status === 'ok') return false;
    return (await this.sets.findById(serverId))?.status === 'sign_in_needed';
  }

  /** Drains a server that failed, and clears the back-off of one that works again. */
  private followUp(serverId: string, before: ServerStatus, after: ServerStatus): void {
    if (after === 'error' && before !== 'error') this.processes.replace(serverId);
    if (after === 'enabled') this.processes.forgive(serverId);
  }
}

function happeningsOf(
  id: string,
  before: ServerStatus,
  after: ServerStatus,
  { status, phase, details }: Verification,
): NewJournalEntry[] {
  const subject = { type: 'server', id };
  const verified: NewJournalEntry = { type: 'mcp.server.verified', subject, data: { status, phase } };
  if (before === after) return [verified];
  if (after === 'error') return [verified, { type: 'mcp.server.failed', subject, data: { reason: details } }];
  return [verified, { type: 'mcp.server.enabled', subject, data: { from: before } }];
}
