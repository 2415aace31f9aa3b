import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { SecretRegister } from '../../platform/encryption/masking.js';
import { NotFound } from '../../platform/http/problem.js';
import { storableText } from '../../platform/http/text-and-instant-rules.js';
import { JournalService, SYSTEM } from '../../platform/journal/journal.service.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { CredentialSetsService } from '../credentials/credential-sets.service.js';
import { CredentialValuesService } from '../credentials/credentials-and-env-values.service.js';
import { GrantRevocationsService } from '../oauth/sign-in-needed-offered-and-revoked.service.js';
import { PackageInstaller } from '../packages/package-installer.js';
import { changedLimits } from '../processes/server-description-and-limits.js';
import { ServerLogsService } from '../running/server-logs.service.js';
import { ProcessControlService } from '../server-processes/process-control-and-work.service.js';
import { ProcessEventsService } from '../server-processes/supervisor-sandbox-and-sweep.provider.js';
import {
  CredentialSetRepository,
  type CredentialSetRow,
} from '../server-records/credential-set.repository.js';
import {
  InstalledServerRepository,
  type InstalledServerRow,
} from '../server-records/installed-server.repository.js';
import { defaultSetOf } from '../server-records/server-records.entities.js';
import { ServerNameTaken } from './installation.service.js';
import type {
  ServerLimitsRequest,
  ServerWithCatalogEntry,
  UpdateServerRequest,
} from './installed-server.dto.js';

/** Removes servers with everything that belongs to them: row, credentials, access, processes, folders (contract §3.3). */
@Injectable()
export class ServerRemovalService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly sets: CredentialSetRepository,
    private readonly revocations: GrantRevocationsService,
    private readonly processes: ProcessControlService,
    private readonly packages: PackageInstaller,
    private readonly secrets: SecretRegister,
    private readonly logs: ServerLogsService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** Deletes the row first: running work then ends, and no new work can begin. */
  async remove(id: string): Promise<void> {
    const sets = await this.transactions.run(async () => {
      const server = await this.servers.lock(id);
      if (!server) throw new NotFound();
      const ofServer = await this.sets.list(id);
      await this.revocations.revokeLater(ofServer.map((set) => set.id));
      await this.servers.delete({ id });
      const { name, slug, catalogId } = server;
      await this.journal.record({
        type: 'mcp.server.deleted',
        subject: { type: 'server', id },
        data: { name, slug, catalogId },
      });
      return ofServer;
    });
    await this.endAndClear(id);
    this.logs.forget(id);
    for (const set of sets) this.secrets.delete(set.id);
  }

  /**
   * Removes the packages while the processes end, and the rest of the folder once no process writes to it. A server
   * that ignores every signal takes five of the six seconds allowed (contract §3.3), and a large package has tens of
   * thousands of files.
   */
  private async endAndClear(id: string): Promise<void> {
    await Promise.all([
      this.processes.remove(id, 'The server was removed by an admin.'),
      // A failure cannot matter: the next statement removes the same files again and reports what it cannot.
      this.packages.removeOthers(id, null).catch(() => undefined),
    ]);
    await this.packages.remove(id);
  }
}

/** Enables and disables servers, and marks those that fail (contract §3.3). Repeating an operation changes nothing. */
@Injectable()
export class ServerStatusService implements OnModuleInit {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly processes: ProcessControlService,
    private readonly credentialSets: CredentialSetsService,
    private readonly processEvents: ProcessEventsService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  onModuleInit(): void {
    this.processEvents.crashLimit.subscribe(({ serverId, credentialSetId, reason }) => {
      this.transactions.afterCommit(() =>
        credentialSetId === defaultSetOf(serverId)
          ? this.fail(serverId, reason)
          : this.credentialSets.fail(serverId, credentialSetId, reason),
      );
    });
  }

  async enable(id: string): Promise<void> {
    await this.transactions.run(async () => {
      const { status } = await this.lock(id);
      if (status === 'enabled') return;
      await this.servers.changeStatus(id, ['disabled', 'error'], 'enabled', null);
      await this.journal.record({
        type: 'mcp.server.enabled',
        subject: { type: 'server', id },
        data: { from: status },
      });
    });
    this.processes.forgive(id);
  }

  /** Resolves when the server's processes have ended. */
  async disable(id: string): Promise<void> {
    await this.transactions.run(async () => {
      const { status } = await this.lock(id);
      if (status === 'disabled') return;
      await this.servers.changeStatus(id, ['enabled', 'error'], 'disabled', null);
      await this.journal.record({
        type: 'mcp.server.disabled',
        subject: { type: 'server', id },
        data: { from: status },
      });
    });
    await this.processes.stop(
      id,
      'The server was disabled by an admin. Continue without it, or ask an admin to enable it.',
    );
  }

  /** Puts an enabled server that no longer works into the status `error`. */
  async fail(id: string, reason: string): Promise<void> {
    await this.transactions.run(async () => {
      const statusReason = storableText(reason);
      if (!(await this.servers.changeStatus(id, ['enabled'], 'error', statusReason))) return;
      await this.journal.record({
        type: 'mcp.server.failed',
        subject: { type: 'server', id },
        data: { reason: statusReason },
        actor: SYSTEM,
      });
    });
    await this.processes.stop(id, 'The server crashed too often and is in error. An admin must fix it.');
  }

  private async lock(id: string) {
    const row = await this.servers.lock(id);
    if (!row) throw new NotFound();
    return row;
  }
}

/** Reads and changes installed servers (contract §3.3). */
@Injectable()
export class InstalledServersService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly catalog: CatalogService,
    private readonly sets: CredentialSetRepository,
    private readonly values: CredentialValuesService,
    private readonly processes: ProcessControlService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  async list(): Promise<ServerWithCatalogEntry[]> {
    return (await this.servers.list()).map((row) => this.withCatalogEntry(row));
  }

  async get(id: string): Promise<ServerWithCatalogEntry> {
    const row = await this.servers.findById(id);
    if (!row) throw new NotFound();
    return this.withCatalogEntry(row);
  }

  /** New values invalidate what was learnt with the old ones; live connections are replaced by ones with the new values and
   * limits. */
  async update(
    id: string,
    { name, envValues = {}, limits = {} }: UpdateServerRequest,
  ): Promise<ServerWithCatalogEntry> {
    await this.values.refuse((await this.get(id)).row, envValues);
    return this.transactions.run(async () => {
      const before = await this.lock(id);
      const renamed = name !== undefined && name !== before.name;
      if (renamed) await this.rename(id, name);
      const data = {
        ...(renamed && { name: { old: before.name, new: name } }),
        ...(await this.values.apply(await this.defaultSet(id), envValues, before.entry)),
        ...(await this.applyLimits(before, limits)),
      };
      if (Object.keys(data).length > 0)
        await this.journal.record({ type: 'mcp.server.updated', subject: { type: 'server', id }, data });
      return this.get(id);
    });
  }

  private async defaultSet(id: string): Promise<CredentialSetRow> {
    return (await this.sets.findById(defaultSetOf(id)))!;
  }

  private async applyLimits(before: InstalledServerRow, change: ServerLimitsRequest): Promise<object> {
    const limits = changedLimits(before.limits, change);
    if (isDeepStrictEqual(limits, changedLimits(before.limits, {}))) return {};
    await this.servers.setLimits(before.id, limits);
    this.transactions.afterCommit(() => this.processes.replace(before.id));
    return { limits: { old: before.limits, new: limits } };
  }

  private async rename(id: string, name: string): Promise<void> {
    await this.servers.holdNames();
    try {
      await this.servers.update({ id }, { name, updatedAt: () => 'now()' });
    } catch (error) {
      if (isUniqueViolation(error, 'installed_servers_name_unique')) throw new ServerNameTaken(name);
      throw error;
    }
  }

  private async lock(id: string): Promise<InstalledServerRow> {
    const row = await this.servers.lock(id);
    if (!row) throw new NotFound();
    return row;
  }

  private withCatalogEntry(row: InstalledServerRow): ServerWithCatalogEntry {
    return { row, inCatalog: this.catalog.get(row.catalogId) };
  }
}
