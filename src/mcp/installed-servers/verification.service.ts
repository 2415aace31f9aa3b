import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { DatabaseService } from '../../platform/database/database.service.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound } from '../../platform/http/problem.js';
import { type Actor, currentOrigin, SYSTEM } from '../../platform/journal/journal-context.js';
import { JournalService, type NewJournalEntry } from '../../platform/journal/journal.service.js';
import type { EraVerdict } from '../processes/server-description.js';
import { ServerDescriptionsService } from '../running/server-descriptions.service.js';
import { CancellableWorkService } from '../server-processes/cancellable-work.service.js';
import { ProcessControlService } from '../server-processes/process-control.service.js';
import { CredentialSetRepository } from '../server-records/credential-set.repository.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import type { ServerStatus } from '../server-records/server-records.entities.js';
import type {
  Verification,
  VerificationOutcome,
  VerificationRecord,
} from '../server-records/verification.js';
import { ToolChangesService } from '../server-tools/tool-changes.service.js';
import { ToolsHostsClient } from '../tools-hosts/tools-hosts.client.js';
import { ServerVerifierService } from './server-verifier.service.js';
import { statusAfter } from './verification-result.js';

/** How many verifications of a server are kept. */
const KEPT = 50;

/** The changes that a verification makes to its server's row. */
export interface KeptVerification {
  verification: VerificationRecord;
  /** Null makes the next start probe the protocol era again. */
  verdict: EraVerdict | null;
  status: ServerStatus;
  statusReason: string | null;
}

@Injectable()
export class VerificationsRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Adds a verification to the history of its server, without the names of its tools, and forgets the oldest ones. The
   * caller has locked the server's row.
   * @returns the database's time
   */
  async add(serverId: string, verification: Verification, by: Actor): Promise<string> {
    const { capabilities: _, ...result } = verification;
    const row = await this.database.row<{ at: Date }>(
      `INSERT INTO server_verifications (id, server_id, result, by_type, by_id, by_name) VALUES ($1, $2, $3, $4, $5, $6)
       RETURNING at`,
      [uuidv7(), serverId, JSON.stringify(result), by.type, by.id, by.name],
    );
    await this.database.change(
      `DELETE FROM server_verifications WHERE server_id = $1 AND id IN (
         SELECT id FROM server_verifications WHERE server_id = $1 ORDER BY at DESC, id DESC OFFSET ${KEPT})`,
      [serverId],
    );
    return row!.at.toISOString();
  }

  /** Returns the history of a server, newest first. */
  async list(serverId: string): Promise<VerificationRecord[]> {
    const rows = await this.database.rows<{ result: Verification; at: Date; by: Actor }>(
      `SELECT result, at, json_build_object('type', by_type, 'id', by_id, 'name', by_name) AS by
       FROM server_verifications WHERE server_id = $1 ORDER BY at DESC, id DESC`,
      [serverId],
    );
    return rows.map(({ result, at, by }) => ({ ...result, at: at.toISOString(), by }));
  }

  /** Stores a verification as the last one. The caller has locked the row. */
  async keep(
    serverId: string,
    { verification, verdict, status, statusReason }: KeptVerification,
  ): Promise<void> {
    await this.database.change(
      `UPDATE installed_servers
       SET last_verification = $2::jsonb,
           era_verdict = $3, status = $4, status_reason = $5,
           updated_at = CASE WHEN status = $4 THEN updated_at ELSE now() END
       WHERE id = $1`,
      [
        serverId,
        JSON.stringify({ ...verification, checkedAt: verification.at }),
        verdict && JSON.stringify(verdict),
        status,
        statusReason,
      ],
    );
  }
}

/** Stores the results of verifications: the result, the status that follows from it, and the tools. */
@Injectable()
export class VerificationRecordsService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly verifications: VerificationsRepository,
    private readonly sets: CredentialSetRepository,
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

/** Verifies installed servers (contract §3.3). */
@Injectable()
export class VerificationService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly descriptions: ServerDescriptionsService,
    private readonly verifier: ServerVerifierService,
    private readonly records: VerificationRecordsService,
    private readonly history: VerificationsRepository,
    private readonly work: CancellableWorkService,
    private readonly hosts: ToolsHostsClient,
  ) {}

  /** Returns the result even if a change of the server in the meantime made it obsolete. */
  verify(serverId: string): Promise<VerificationRecord> {
    if (this.hosts.isNeeded) return this.hosts.askForPerson(`${serverId}/shared`, 'verify', { serverId });
    return this.work.run(serverId, async (ended) => {
      const server = await this.servers.findById(serverId);
      if (!server) throw new NotFound();
      const outcome = await this.verifier.verify(
        () => this.descriptions.instance(server.id),
        server.entry,
        ended,
      );
      ended.throwIfAborted();
      return this.records.keep(server.id, server.revision, outcome);
    });
  }

  /** Returns the last verifications of a server, newest first. */
  async list(serverId: string): Promise<VerificationRecord[]> {
    const server = await this.servers.findById(serverId);
    if (!server) throw new NotFound();
    return this.history.list(server.id);
  }
}
