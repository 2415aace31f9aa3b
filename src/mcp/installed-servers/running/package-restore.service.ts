import { Injectable, Logger } from '@nestjs/common';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import { PackageInstaller } from '../../packages/package-installer.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';

/** The entry of a server in one revision. */
interface InstalledEntry {
  id: string;
  entry: CatalogEntry;
  revision: number;
}

/**
 * Fetches the package of a server that this process lacks, because another process of the service installed it into
 * its own data folder or because this process lost its folder. It uses the lock of that installation, so that all
 * processes run the same versions.
 */
@Injectable()
export class PackageRestoreService {
  private readonly log = new Logger(PackageRestoreService.name);

  constructor(
    private readonly packages: PackageInstaller,
    private readonly servers: InstalledServersRepository,
  ) {}

  /**
   * Does nothing if the package is present.
   * @throws {PackageUnavailable} when the package cannot be fetched; the reason of `signal` when that fires first
   */
  async restore({ id, entry, revision }: InstalledEntry, signal: AbortSignal): Promise<void> {
    if (entry.transport !== 'stdio' || (await this.packages.isInstalled(id, entry))) return;
    const lock = await this.servers.packageLock(id, revision);
    const log = (line: string): void => this.log.log(`Package of server ${id}: ${line}`);
    await this.packages.install({ serverId: id, entry, lock, log }, signal);
  }
}
