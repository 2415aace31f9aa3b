import { Injectable, Logger } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Settings } from '../../platform/config/settings.js';
import { SecretRegister } from '../../platform/encryption/secret-register.js';
import { ValidationFailed } from '../../platform/http/problem/problem.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { refuseUnlessInstallable, refuseUnlessReviewed } from '../catalog/installability.js';
import { PackageInstaller } from '../packages/package-installer.js';
import { changedLimits } from '../processes/server-limits.js';
import { RuntimeService } from '../runtime/runtime.service.js';
import {
  changesOf,
  givenValueErrors,
  omissionErrors,
  secretsAmong,
  type EnvValues,
} from './credentials/credential-changes.js';
import type { InstallServerRequest } from './dto/install-server.request.js';
import { UnknownCatalogEntry } from './installed-servers.errors.js';
import { NewServersService } from './new-servers.service.js';
import { ToolsHostsClient } from './hosts/tools-hosts.client.js';
import { CancellableWorkService } from './running/cancellable-work.service.js';

/**
 * Installs servers. It makes every check first, then fetches the package, and only then stores the server, so that a
 * failed fetch or a crash leaves no row behind (contract §3.3).
 */
@Injectable()
export class InstallationService {
  private readonly log = new Logger(InstallationService.name);

  constructor(
    private readonly catalog: CatalogService,
    private readonly runtimes: RuntimeService,
    private readonly packages: PackageInstaller,
    private readonly newServers: NewServersService,
    private readonly work: CancellableWorkService,
    private readonly secrets: SecretRegister,
    private readonly settings: Settings,
    private readonly hosts: ToolsHostsClient,
  ) {}

  /** @returns the id of the new server, which is enabled and granted to no agent */
  async install(request: InstallServerRequest): Promise<string> {
    if (this.hosts.isNeeded) return this.hosts.askForPerson(uuidv7(), 'install', request);
    return this.installHere(request);
  }

  private async installHere({
    catalogId,
    envValues = {},
    name,
    limits = {},
  }: InstallServerRequest): Promise<string> {
    const entry = this.catalog.get(catalogId);
    if (!entry) throw new UnknownCatalogEntry();
    await this.refuseValues(entry, envValues);
    if (name !== undefined) await this.newServers.refuseTakenName(name);
    refuseUnlessReviewed(entry, this.settings);
    refuseUnlessInstallable(entry, await this.runtimes.report());

    const id = uuidv7();
    const changes = changesOf(envValues);
    this.secrets.set(id, secretsAmong([entry], changes.set));
    try {
      const packageLock = await this.work.run(id, (ended) => this.fetch(id, entry, ended));
      await this.newServers.store({
        ...{ id, entry, packageLock, name: name ?? null, values: changes.set },
        limits: changedLimits({}, limits),
      });
      return id;
    } catch (error) {
      await this.packages.remove(id);
      this.secrets.delete(id);
      throw error;
    }
  }

  private async refuseValues(entry: CatalogEntry, envValues: EnvValues): Promise<void> {
    const errors = [
      ...omissionErrors(entry, envValues),
      ...(await givenValueErrors([entry], envValues, this.settings.dataDir)),
    ];
    if (errors.length > 0) throw new ValidationFailed(errors);
  }

  private async fetch(serverId: string, entry: CatalogEntry, ended: AbortSignal): Promise<string | null> {
    if (entry.transport !== 'stdio') return null;
    const log = (line: string): void => this.log.log(`Package of server ${serverId}: ${line}`);
    return (await this.packages.install({ serverId, entry, log }, ended)).lock;
  }
}
