import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { NotFound } from '../../../platform/http/problem.js';
import { Journal, type Happening } from '../../../platform/journal/journal.js';
import type { ServerStatus } from '../installed-server.entity.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';
import { LiveServers } from '../running/live-servers.js';
import { ToolSnapshots } from '../tools/tool-snapshots.js';
import { statusAfter } from './status-after.js';
import type { Verification, VerificationOutcome } from './verification.js';
import { VerificationsRepository } from './verifications.repository.js';

/** Keeps what verifications found: the answer, the status that follows from it, the tools. */
@Injectable()
export class VerificationRecords {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly verifications: VerificationsRepository,
    private readonly snapshots: ToolSnapshots,
    private readonly live: LiveServers,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /**
   * What was found of an older revision is void: nothing is kept then.
   * @throws {NotFound} where the server was removed meanwhile
   */
  async keep(
    serverId: string,
    revision: number,
    { verification, found }: VerificationOutcome,
  ): Promise<void> {
    await this.transactions.run(async () => {
      const before = await this.servers.lock(serverId);
      if (!before) throw new NotFound();
      if (before.revision !== revision) return;
      const status = statusAfter(before.status, verification);
      const statusReason = status === 'error' ? verification.details : null;
      await this.verifications.keep(serverId, {
        verification,
        verdict: found?.verdict ?? null,
        status,
        statusReason,
      });
      if (found) await this.snapshots.keep(serverId, found.tools);
      await this.journal.record(...happeningsOf(serverId, before.status, status, verification));
      this.transactions.afterCommit(() => this.followUp(serverId, before.status, status));
    });
  }

  /** A server that failed is not called any more; one that works may be started without waiting. */
  private followUp(serverId: string, before: ServerStatus, after: ServerStatus): void {
    if (after === 'error' && before !== 'error') this.live.replace(serverId);
    if (after === 'enabled') this.live.forgive(serverId);
  }
}

function happeningsOf(
  id: string,
  before: ServerStatus,
  after: ServerStatus,
  { status, phase, details }: Verification,
): Happening[] {
  const subject = { type: 'server', id };
  const verified: Happening = { type: 'mcp.server.verified', subject, data: { status, phase } };
  if (before === after) return [verified];
  if (after === 'error') return [verified, { type: 'mcp.server.failed', subject, data: { reason: details } }];
  return [verified, { type: 'mcp.server.enabled', subject, data: { from: before } }];
}
