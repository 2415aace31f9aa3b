import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { NotFound } from '../../platform/http/problem.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { NotInstallable } from '../catalog/catalog.errors.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { refuseUnlessInstallable, refuseUnlessReviewed } from '../catalog/installability.js';
import { missingVariables } from '../catalog/variable-value.js';
import { changeErrors } from '../credentials/credential-changes.js';
import { ServerDescriptionsService, type ServerInstance } from '../running/server-descriptions.service.js';
import { RuntimeService } from '../runtime/runtime.service.js';
import {
  InstalledServerRepository,
  type InstalledServerRow,
} from '../server-records/installed-server.repository.js';
import { isUpdate } from './upgrade-report.js';

/** The start and the target of an upgrade. */
export interface UpgradePlan {
  server: InstalledServerRow;
  /** The catalogue's entry; null if the server already runs it. */
  target: CatalogEntry | null;
  /** The server with the new entry and the stored values. */
  instance: ServerInstance;
  missingVariables: string[];
  droppedVariables: string[];
}

/** Determines what an upgrade of a server would change, without fetching anything. */
@Injectable()
export class UpgradePlansService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly descriptions: ServerDescriptionsService,
    private readonly catalog: CatalogService,
    private readonly runtimes: RuntimeService,
    private readonly settings: Settings,
  ) {}

  /** @throws {NotFound} {NotInstallable} {RuntimeNotDetected} {SealBroken} */
  async make(serverId: string): Promise<UpgradePlan> {
    const server = await this.servers.findById(serverId);
    if (!server) throw new NotFound();
    const inCatalog = this.catalog.get(server.catalogId);
    if (!inCatalog)
      throw new NotInstallable(
        `The catalogue no longer has an entry '${server.catalogId}', so there is no version to upgrade to.`,
      );
    refuseUnlessReviewed(inCatalog, this.settings);
    refuseUnlessInstallable(inCatalog, await this.runtimes.report());
    const installed = await this.descriptions.instance(server.id);
    const target = isUpdate(server.entry, inCatalog) ? inCatalog : null;
    const instance = { ...installed, entry: inCatalog, eraVerdict: null, isTrial: true };
    return { server, target, instance, ...(await this.variablesOf(instance)) };
  }

  /** Counts a stored value that the new version does not accept as missing. */
  private async variablesOf({
    entry,
    values,
  }: ServerInstance): Promise<Pick<UpgradePlan, 'missingVariables' | 'droppedVariables'>> {
    const declared = new Set(entry.environmentVariables.map(({ name }) => name));
    const kept = Object.fromEntries(Object.entries(values).filter(([name]) => declared.has(name)));
    const errors = await changeErrors([entry], kept, this.settings.dataDir);
    const unfit = errors.map(({ path }) => path.replace(/^envValues\./, ''));
    return {
      missingVariables: [...missingVariables(entry, Object.keys(kept)), ...unfit],
      droppedVariables: Object.keys(values).filter((name) => !declared.has(name)),
    };
  }
}
