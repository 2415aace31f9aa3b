import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound } from '../../platform/http/problem.js';
import {
  type Actor,
  currentOrigin,
  JournalService,
  type NewJournalEntry,
  SYSTEM,
} from '../../platform/journal/journal.service.js';
import { ServerDescriptionsService } from '../running/server-descriptions-and-package-locks.service.js';
import {
  CancellableWorkService,
  ProcessControlService,
} from '../server-processes/process-control-and-work.service.js';
import { CredentialSetRepository } from '../server-records/credential-set.repository.js';
import {
  InstalledServerRepository,
  type InstalledServerRow,
} from '../server-records/installed-server.repository.js';
import type { ListedTool } from '../server-records/tool-definition.js';
import {
  defaultSetOf,
  type ServerStatus,
  ServerVerification,
  type Verification,
  type VerificationOutcome,
  type VerificationRecord,
} from '../server-records/server-records.entities.js';
import { ToolComparisonsService } from '../server-tools/tool-changes-and-withholding.service.js';
import { ToolsHostsClient } from '../tools-hosts/tools-hosts-and-internal-keys.client.js';
import { ServerVerifierService } from './server-verifier-and-credential-probe.service.js';

/** How many verifications of a server are kept. */
const KEPT = 50;

/** Verifies installed servers, and stores the result, the status that follows from it, and the tools (contract §3.3). */
@Injectable()
export class VerificationService {
  constructor(
    private readonly servers: InstalledServerRepository,
    @InjectRepository(ServerVerification) private readonly history: Repository<ServerVerification>,
    private readonly sets: CredentialSetRepository,
    private readonly descriptions: ServerDescriptionsService,
    private readonly verifier: ServerVerifierService,
    private readonly changes: ToolComparisonsService,
    private readonly processes: ProcessControlService,
    private readonly work: CancellableWorkService,
    private readonly hosts: ToolsHostsClient,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** Returns the result even if a change of the server in the meantime made it obsolete. */
  verify(serverId: string): Promise<VerificationRecord> {
    if (this.hosts.isNeeded) return this.hosts.askForPerson(`${serverId}/shared`, 'verify', { serverId });
    return this.work.run(serverId, async (ended) => {
      const server = await this.servers.findById(serverId);
      if (!server) throw new NotFound();
      const outcome = await this.verifier.verify(
        () => this.descriptions.defaultInstance(server.id),
        server.entry,
        ended,
      );
      ended.throwIfAborted();
      return this.keep(server.id, server.revision, outcome);
    });
  }

  /** Returns the last verifications of a server, newest first. */
  async list(serverId: string): Promise<VerificationRecord[]> {
    const server = await this.servers.findById(serverId);
    if (!server) throw new NotFound();
    const kept = await this.history.find({
      where: { serverId: server.id },
      order: { at: 'DESC', id: 'DESC' },
    });
    return kept.map(({ result, at, byType: type, byId: id, byName: name }) => ({
      ...result,
      at: at.toISOString(),
      by: { type, id, name },
    }));
  }

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
      const at = await this.remember(serverId, verification, by);
      const record = { ...verification, at, by };
      if (before.revision !== revision) return record;
      const status = (await this.lacksSignIn(serverId, verification))
        ? before.status
        : statusAfter(before.status, verification);
      const statusReason = status === 'error' ? verification.details : null;
      await this.servers.update(
        { id: serverId },
        {
          lastVerification: { ...record, checkedAt: at } as object,
          eraVerdict: (found?.verdict ?? null) as object | null,
          status,
          statusReason,
          ...(status !== before.status && { updatedAt: () => 'now()' }),
        },
      );
      if (found) await this.keepTools(before, found.tools);
      if (found) await this.sets.workWithoutSignIn(serverId);
      await this.journal.record(...happeningsOf(serverId, before.status, status, verification));
      this.transactions.afterCommit(() => this.followUp(serverId, before.status, status));
      return record;
    });
  }

  /**
   * Replaces the processes that run where a fresh one lists new or changed tools: they were started with the code before,
   * which would answer calls of what a person approves next. A tool that is only gone replaces none: a process may offer
   * more tools in the course of its work than a fresh one.
   */
  private async keepTools(server: InstalledServerRow, tools: readonly ListedTool[]): Promise<void> {
    const { added, changed, returned } = await this.changes.keep(server.id, tools, { isVerification: true });
    const differs = added.length + changed.length + returned.length > 0;
    if (differs && server.toolsListedAt !== null && server.entry.transport === 'stdio')
      await this.servers.replaceProcesses(server.id);
  }

  /**
   * SQL: the oldest ones are found in the statement that deletes them. Adds a verification to the history of its server,
   * without the names of its tools. The caller has locked the server's row.
   * @returns the database's time
   */
  private async remember(serverId: string, verification: Verification, by: Actor): Promise<string> {
    const { capabilities: _, ...result } = verification;
    const origin = { byType: by.type, byId: by.id, byName: by.name };
    const { generatedMaps } = await this.history.insert({ id: uuidv7(), serverId, result, ...origin });
    await this.history.query(
      `DELETE FROM server_verifications WHERE server_id = $1 AND id IN (
         SELECT id FROM server_verifications WHERE server_id = $1 ORDER BY at DESC, id DESC OFFSET ${KEPT})`,
      [serverId],
    );
    return (generatedMaps[0] as Pick<ServerVerification, 'at'>).at.toISOString();
  }

  /** Whether only the set `default` failed: the server goes on with the sets with which people have signed in. */
  private async lacksSignIn(serverId: string, { status }: Verification): Promise<boolean> {
    if (status === 'ok') return false;
    return (await this.sets.findById(defaultSetOf(serverId)))?.status === 'sign_in_needed';
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

/** An enabled server that fails becomes `error`; ok on `error` gives `enabled`; `disabled` stays (contract §3.3). */
export function statusAfter(before: ServerStatus, { status }: Pick<Verification, 'status'>): ServerStatus {
  if (before === 'disabled') return 'disabled';
  return status === 'ok' ? 'enabled' : 'error';
}
