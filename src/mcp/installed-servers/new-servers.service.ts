import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import type { ServerLimits } from '../processes/server-limits.js';
import { CredentialsService } from './credentials/credentials.service.js';
import { ServerNameTaken } from './installed-servers.errors.js';
import { InstalledServersRepository } from './installed-servers.repository.js';
import { SignInStatesService } from './oauth/sign-in-states.service.js';
import { freeName, slugOf } from './server-names.js';

/** A server whose package has been fetched; `name` null takes the entry's name. */
export interface NewServer {
  id: string;
  entry: CatalogEntry;
  packageLock: string | null;
  name: string | null;
  values: Record<string, string>;
  limits: ServerLimits;
}

/** Stores new servers, each with a unique name and slug. */
@Injectable()
export class NewServersService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly credentials: CredentialsService,
    private readonly signIns: SignInStatesService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** Rejects a taken name before its package is fetched in vain; `store` decides. @throws {ServerNameTaken} */
  async refuseTakenName(name: string): Promise<void> {
    if (await this.servers.isNameTaken(name)) throw new ServerNameTaken(name);
  }

  /** Stores row, sealed values and journal entry in one transaction. @throws {ServerNameTaken} */
  async store({ id, entry, packageLock, name: wanted, values, limits }: NewServer): Promise<void> {
    await this.transactions.run(async () => {
      const taken = await this.servers.holdNames();
      if (wanted !== null && taken.names.has(wanted)) throw new ServerNameTaken(wanted);
      const name = wanted ?? freeName(entry.name, taken.names);
      const slug = slugOf(name, taken.slugs);
      await this.servers.insert({
        id,
        name,
        slug,
        catalogId: entry.id,
        entry,
        status: 'enabled',
        packageLock,
        limits,
      });
      await this.credentials.apply(id, { set: values, removed: [] });
      await this.journal.record({
        type: 'mcp.server.installed',
        subject: { type: 'server', id },
        data: {
          name,
          slug,
          catalogId: entry.id,
          version: entry.version,
          envValues: { set: Object.keys(values) },
          ...(Object.keys(limits).length > 0 && { limits }),
        },
      });
      await this.signIns.demand({ id, status: 'ready' }, entry);
    });
  }
}
