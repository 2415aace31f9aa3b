import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound } from '../../platform/http/problem/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { changedLimits } from '../processes/server-limits.js';
import type { CredentialSetRow } from './credential-sets/credential-set-row.js';
import { CredentialSetsRepository } from './credential-sets/credential-sets.repository.js';
import { CredentialValuesService } from './credential-sets/credential-values.service.js';
import type { ServerLimitsRequest } from './dto/server-limits.request.js';
import type { UpdateServerRequest } from './dto/update-server.request.js';
import type { ServerWithCatalogEntry } from './dto/installed-server.response.js';
import { ServerNameTaken } from './installed-servers.errors.js';
import type { InstalledServerRow } from './installed-server-row.js';
import { InstalledServersRepository } from './installed-servers.repository.js';
import { ProcessControlService } from './running/process-control.service.js';

/** Reads and changes installed servers (contract §3.3). */
@Injectable()
export class InstalledServersService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly catalog: CatalogService,
    private readonly sets: CredentialSetsRepository,
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
    return (await this.sets.findById(id))!;
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
      await this.servers.rename(id, name);
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
