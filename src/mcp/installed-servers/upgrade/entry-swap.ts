import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { NotFound } from '../../../platform/http/problem.js';
import { Journal } from '../../../platform/journal/journal.js';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import { PackageInstaller } from '../../packages/package-installer.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { ServerChangedMeanwhile } from '../installed-servers.errors.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';
import { LiveServers } from '../running/live-servers.js';
import { VerificationRecords } from '../verification/verification-records.js';
import type { VerificationOutcome } from '../verification/verification.js';
import type { Plan } from './upgrade-plan.js';

/** Puts the verified new version in the place of the old one. */
@Injectable()
export class EntrySwap {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly credentials: CredentialsRepository,
    private readonly records: VerificationRecords,
    private readonly packages: PackageInstaller,
    private readonly live: LiveServers,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** Access and approvals stay. Calls that run finish with the old version, whose package goes after them. */
  async carryOut(
    { server, droppedVariables }: Plan,
    { entry: target, packageLock }: { entry: CatalogEntry; packageLock: string | null },
    outcome: VerificationOutcome,
  ): Promise<void> {
    const { id, revision, entry } = server;
    await this.transactions.run(async () => {
      const now = await this.servers.lock(id);
      if (!now) throw new NotFound();
      if (now.revision !== revision) throw new ServerChangedMeanwhile();
      await this.servers.replaceEntry(id, target, packageLock);
      await this.credentials.remove(id, droppedVariables);
      const data = { from: entry.version, to: target.version, droppedVariables };
      await this.journal.record({ type: 'mcp.server.upgraded', subject: { type: 'server', id }, data });
      await this.records.keep(id, revision + 1, outcome);
    });
    const newPackage = packageOf(this.packages, { id, entry: target });
    this.live.replace(id, () => this.packages.removeOthers(id, newPackage));
  }
}

/** The folder that a server with this entry runs from; null where nothing is fetched. */
export function packageOf(
  packages: PackageInstaller,
  { id, entry }: { id: string; entry: CatalogEntry },
): string | null {
  return entry.transport === 'stdio' ? packages.installDirOf(id, entry) : null;
}
