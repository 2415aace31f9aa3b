import { Injectable } from '@nestjs/common';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { Transactions } from '../../platform/database/transactions.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { Journal } from '../../platform/journal/journal.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { Settings } from '../../platform/config/settings.js';
import { changesOf, faultsOfChanges } from './credentials/credential-changes.js';
import { Credentials } from './credentials/credentials.js';
import type { UpdateServerRequest } from './dto/update-server.request.js';
import type { ToldServer } from './dto/installed-server.response.js';
import { ServerNameTaken } from './installed-servers.errors.js';
import { InstalledServersRepository, type InstalledServerRow } from './installed-servers.repository.js';
import { LiveServers } from './running/live-servers.js';

/** Reads and changes installed servers (spec §3.3). */
@Injectable()
export class InstalledServersService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly catalog: CatalogService,
    private readonly credentials: Credentials,
    private readonly live: LiveServers,
    private readonly settings: Settings,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  async list(): Promise<ToldServer[]> {
    return (await this.servers.list()).map((row) => this.told(row));
  }

  async get(id: string): Promise<ToldServer> {
    const row = await this.servers.findById(id);
    if (!row) throw new NotFound();
    return this.told(row);
  }

  /** New values void what was found out with the old ones; the live connections give way to ones that have them. */
  async update(id: string, { name, envValues = {} }: UpdateServerRequest): Promise<ToldServer> {
    const { row, inCatalog } = await this.get(id);
    // A value may be given ahead for a variable that only the catalogue's newer version has: upgrade asks for it.
    const entries = inCatalog ? [row.entry, inCatalog] : [row.entry];
    const faults = await faultsOfChanges(entries, envValues, this.settings.dataDir);
    if (faults.length > 0) throw new ValidationFailed(faults);
    return this.transactions.run(async () => {
      const before = await this.lock(id);
      const renamed = name !== undefined && name !== before.name;
      if (renamed) await this.rename(id, name);
      const data = {
        ...(renamed && { name: { old: before.name, new: name } }),
        ...(await this.applyValues(before, envValues)),
      };
      if (Object.keys(data).length > 0)
        await this.journal.record({ type: 'mcp.server.updated', subject: { type: 'server', id }, data });
      return this.get(id);
    });
  }

  /** What the journal tells of it: names, never a value. */
  private async applyValues(
    { id, configuredEnv }: InstalledServerRow,
    envValues: Record<string, unknown>,
  ): Promise<object> {
    const changes = changesOf(envValues);
    const set = Object.keys(changes.set);
    const removed = changes.removed.filter((name) => configuredEnv.includes(name));
    if (set.length + removed.length === 0) return {};
    await this.credentials.apply(id, { set: changes.set, removed });
    await this.servers.reviseCredentials(id);
    this.transactions.afterCommit(() => this.live.replace(id));
    return { envValues: { set, removed } };
  }

  private async rename(id: string, name: string): Promise<void> {
    await this.servers.holdNames();
    try {
      await this.servers.rename(id, name);
    } catch (fault) {
      if (isUniqueViolation(fault, 'installed_servers_name_unique')) throw new ServerNameTaken(name);
      throw fault;
    }
  }

  private async lock(id: string): Promise<InstalledServerRow> {
    const row = await this.servers.lock(id);
    if (!row) throw new NotFound();
    return row;
  }

  private told(row: InstalledServerRow): ToldServer {
    return { row, inCatalog: this.catalog.get(row.catalogId) };
  }
}
