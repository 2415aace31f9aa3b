import { Injectable, Logger } from '@nestjs/common';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import { PackageInstaller } from '../../packages/package-installer.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';

/** A server's entry as of a revision. */
interface InstalledEntry {
  id: string;
  entry: CatalogEntry;
  revision: number;
}

/**
 * Fetches the package of a server that was installed by another process of the service, into its own data folder, or
 * before this one lost its folder: by the lock of that install, so that all processes run the same.
 */
@Injectable()
export class PackageRestorer {
  private readonly log = new Logger(PackageRestorer.name);

  constructor(
    private readonly packages: PackageInstaller,
    private readonly servers: InstalledServersRepository,
  ) {}

  /** Does nothing where the package is there. @throws {PackageUnavailable} or the reason of the signal */
  async restore({ id, entry, revision }: InstalledEntry, signal: AbortSignal): Promise<void> {
    if (entry.transport !== 'stdio' || (await this.packages.isInstalled(id, entry))) return;
    const lock = await this.servers.packageLock(id, revision);
    const log = (line: string): void => this.log.log(`${id}: ${line}`);
    await this.packages.install({ serverId: id, entry, lock, log }, signal);
  }
}
