import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../../platform/database/transactions.service.js';
import { NotFound } from '../../../platform/http/problem/problem.js';
import { JournalService } from '../../../platform/journal/journal.service.js';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import { PackageInstaller } from '../../packages/package-installer.js';
import { CredentialSetsRepository } from '../credential-sets/credential-sets.repository.js';
import { ServerChangedMeanwhile } from '../installed-servers.errors.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';
import { acceptsSignIn, demandsSignIn } from '../oauth/sign-in-demand.js';
import { SignInStatesService } from '../oauth/sign-in-states.service.js';
import { ProcessControlService } from '../running/process-control.service.js';
import { VerificationRecordsService } from '../verification/verification-records.service.js';
import type { VerificationOutcome } from '../verification/verification.js';
import type { UpgradePlan } from './upgrade-plans.service.js';

/** Replaces the installed version with the verified new one. */
@Injectable()
export class EntrySwapService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly sets: CredentialSetsRepository,
    private readonly signIns: SignInStatesService,
    private readonly records: VerificationRecordsService,
    private readonly packages: PackageInstaller,
    private readonly processes: ProcessControlService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /**
   * Whether a server has never worked because no one has signed in. The new version may make a sign-in possible, and no
   * agent uses the old one.
   */
  async awaitsSignIn(
    { server }: UpgradePlan,
    target: CatalogEntry,
    { verification }: VerificationOutcome,
  ): Promise<boolean> {
    if (server.toolsListedAt !== null || verification.credentials !== 'refused') return false;
    const sets = await this.sets.list(server.id);
    const isDemanded = demandsSignIn(target) || sets[0]?.status === 'sign_in_needed';
    return isDemanded && acceptsSignIn(target) && sets.every(({ signIn }) => signIn === null);
  }

  /** Keeps access and approvals. Running calls finish on the old version, whose package is removed afterwards. */
  async carryOut(
    { server, droppedVariables }: UpgradePlan,
    { entry: target, packageLock }: { entry: CatalogEntry; packageLock: string | null },
    outcome: VerificationOutcome,
  ): Promise<void> {
    const { id, revision, entry } = server;
    await this.transactions.run(async () => {
      const current = await this.servers.lock(id);
      if (!current) throw new NotFound();
      if (current.revision !== revision) throw new ServerChangedMeanwhile();
      await this.servers.replaceEntry(id, target, packageLock);
      await this.sets.keepVariables(
        id,
        target.environmentVariables.map(({ name }) => name),
      );
      if (!acceptsSignIn(target)) await this.signIns.forget(id);
      if (!outcome.found) await this.demandSignIns(id, target);
      const data = { from: entry.version, to: target.version, droppedVariables };
      await this.journal.record({ type: 'mcp.server.upgraded', subject: { type: 'server', id }, data });
      await this.records.keep(id, revision + 1, outcome);
    });
    const newPackage = packageOf(this.packages, { id, entry: target });
    this.processes.replace(id, { whenDone: () => this.packages.removeOthers(id, newPackage) });
  }

  private async demandSignIns(serverId: string, target: CatalogEntry): Promise<void> {
    for (const set of await this.sets.list(serverId)) await this.signIns.demand(set, target);
  }
}

/** Returns the folder from which a server with this entry runs; null if the entry has no package to fetch. */
export function packageOf(
  packages: PackageInstaller,
  { id, entry }: { id: string; entry: CatalogEntry },
): string | null {
  return entry.transport === 'stdio' ? packages.installDirOf(id, entry) : null;
}
