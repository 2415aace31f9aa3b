import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { Journal } from '../../platform/journal/journal.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { Credentials } from './credentials/credentials.js';
import { freeName } from './free-name.js';
import { ServerNameTaken } from './installed-servers.errors.js';
import { InstalledServersRepository } from './installed-servers.repository.js';
import { slugOf } from './slug.js';

/** A server whose package is there; `name` null takes the entry's. */
export interface NewServer {
  id: string;
  entry: CatalogEntry;
  packageLock: string | null;
  name: string | null;
  values: Record<string, string>;
}

/** Stores new servers, each under a name and a slug of its own. */
@Injectable()
export class NewServers {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly credentials: Credentials,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** Tells it before a package is fetched in vain; `store` decides. */
  async refuseTakenName(name: string): Promise<void> {
    if (await this.servers.isNameTaken(name)) throw new ServerNameTaken(name);
  }

  /** Row, sealed values and journal at once. @throws {ServerNameTaken} */
  async store({ id, entry, packageLock, name: wanted, values }: NewServer): Promise<void> {
    await this.transactions.run(async () => {
      const taken = await this.servers.holdNames();
      if (wanted !== null && taken.names.has(wanted)) throw new ServerNameTaken(wanted);
      const name = wanted ?? freeName(entry.name, taken.names);
      const slug = slugOf(name, taken.slugs);
      await this.servers.insert({
        ...{ id, name, slug, entry, packageLock },
        catalogId: entry.id,
        status: 'enabled',
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
        },
      });
    });
  }
}
