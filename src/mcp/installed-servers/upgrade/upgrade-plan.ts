import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { NotFound } from '../../../platform/http/problem.js';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import { NotInstallable } from '../../catalog/catalog.errors.js';
import { CatalogService } from '../../catalog/catalog.service.js';
import { refuseUnlessInstallable } from '../../catalog/installability.js';
import { missingVariables } from '../../catalog/variable-value.js';
import { RuntimeService } from '../../runtime/runtime.service.js';
import { faultsOfChanges } from '../credentials/credential-changes.js';
import { InstalledServersRepository, type InstalledServerRow } from '../installed-servers.repository.js';
import { ServerDescriptions, type ServerInstance } from '../running/server-descriptions.js';
import { isUpdate } from './is-update.js';

/** What an upgrade starts from and leads to. */
export interface Plan {
  server: InstalledServerRow;
  /** The catalogue's entry; null where the installed one is just that. */
  target: CatalogEntry | null;
  /** The server with the new entry and the stored values. */
  instance: ServerInstance;
  missingVariables: string[];
  droppedVariables: string[];
}

/** Finds out what an upgrade of a server comes to, without fetching anything. */
@Injectable()
export class UpgradePlans {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly descriptions: ServerDescriptions,
    private readonly catalog: CatalogService,
    private readonly runtimes: RuntimeService,
    private readonly settings: Settings,
  ) {}

  /** @throws {NotFound} {NotInstallable} {RuntimeNotDetected} {SealBroken} */
  async make(serverId: string): Promise<Plan> {
    const server = await this.servers.findById(serverId);
    if (!server) throw new NotFound();
    const inCatalog = this.catalog.get(server.catalogId);
    if (!inCatalog)
      throw new NotInstallable(
        `The catalogue has no entry '${server.catalogId}' any more, so there is nothing to upgrade to.`,
      );
    refuseUnlessInstallable(inCatalog, await this.runtimes.report());
    const installed = await this.descriptions.instance(server.id);
    const target = isUpdate(server.entry, inCatalog) ? inCatalog : null;
    const instance = { ...installed, entry: inCatalog, eraVerdict: null };
    return { server, target, instance, ...(await this.variablesOf(instance)) };
  }

  /** A stored value that the new version would not take any more is as good as missing. */
  private async variablesOf({
    entry,
    values,
  }: ServerInstance): Promise<Pick<Plan, 'missingVariables' | 'droppedVariables'>> {
    const declared = new Set(entry.environmentVariables.map(({ name }) => name));
    const kept = Object.fromEntries(Object.entries(values).filter(([name]) => declared.has(name)));
    const faults = await faultsOfChanges([entry], kept, this.settings.dataDir);
    const unfit = faults.map(({ path }) => path.replace(/^envValues\./, ''));
    return {
      missingVariables: [...missingVariables(entry, Object.keys(kept)), ...unfit],
      droppedVariables: Object.keys(values).filter((name) => !declared.has(name)),
    };
  }
}
