import { Injectable, Logger } from '@nestjs/common';
import { KeyedQueue } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound, Problem } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { MissingVariables } from '../catalog/variable-values-and-placeholders.js';
import {
  acceptsSignIn,
  demandsSignIn,
  SignInNeededService,
} from '../oauth/sign-in-needed-offered-and-revoked.service.js';
import { PackageInstaller } from '../packages/package-installer.js';
import {
  CancellableWorkService,
  ProcessControlService,
} from '../server-processes/process-control-and-work.service.js';
import { ownFoldersPattern } from '../server-processes/server-folders.js';
import { CredentialSetRepository } from '../server-records/credential-set.repository.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import type { VerificationOutcome } from '../server-records/server-records.entities.js';
import type { ListedTool } from '../server-records/tool-definition.js';
import { ServerToolRepository } from '../server-tools/server-tool.repository.js';
import { ToolsHostsClient } from '../tools-hosts/tools-hosts-and-internal-keys.client.js';
import { ServerVerifierService } from './server-verifier-and-credential-probe.service.js';
import {
  toolsAfter,
  type UpgradePlan,
  UpgradePlansService,
  type UpgradeReport,
} from './upgrade-plans.service.js';
import { VerificationService } from './verification.service.js';

/** Replaces the installed version with the verified new one. */
@Injectable()
export class EntrySwapService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly sets: CredentialSetRepository,
    private readonly signIns: SignInNeededService,
    private readonly verifications: VerificationService,
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
      await this.verifications.keep(id, revision + 1, outcome);
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

/**
 * Upgrades servers to the catalogue's version. Every step that can fail comes before the swap: the new package is
 * fetched into its own folder and verified with the stored credentials, while agents continue with the old one.
 */
@Injectable()
export class UpgradeService {
  private readonly log = new Logger(UpgradeService.name);
  private readonly upgrades = new KeyedQueue();

  constructor(
    private readonly plans: UpgradePlansService,
    private readonly packages: PackageInstaller,
    private readonly verifier: ServerVerifierService,
    private readonly tools: ServerToolRepository,
    private readonly swap: EntrySwapService,
    private readonly work: CancellableWorkService,
    private readonly hosts: ToolsHostsClient,
    private readonly settings: Settings,
  ) {}

  /**
   * Changes nothing if the new version fails its verification, unless it only awaits the first sign-in; the report says why.
   * @throws {MissingVariables} unless it is a dry run, whose report lists them
   * @throws {PackageUnavailable} {NotInstallable} {RuntimeNotDetected} {NotFound} {ServerChangedMeanwhile}
   */
  upgrade(serverId: string, dryRun: boolean): Promise<UpgradeReport> {
    if (this.hosts.isNeeded)
      return this.hosts.askForPerson(`${serverId}/shared`, 'upgrade', { serverId, dryRun });
    return this.work.run(serverId, (ended) =>
      this.upgrades.run(serverId, async () => {
        try {
          return await this.carryOut(await this.plans.make(serverId), dryRun, ended);
        } catch (error) {
          ended.throwIfAborted();
          throw error;
        }
      }),
    );
  }

  private async carryOut(plan: UpgradePlan, dryRun: boolean, ended: AbortSignal): Promise<UpgradeReport> {
    const unchanged = reportOf(plan, dryRun);
    if (!plan.target) return unchanged;
    if (plan.missingVariables.length > 0) {
      if (dryRun) return unchanged;
      throw new MissingVariables(plan.missingVariables);
    }
    return this.tryTarget(plan, plan.target, dryRun, ended);
  }

  private async tryTarget(
    plan: UpgradePlan,
    target: CatalogEntry,
    dryRun: boolean,
    ended: AbortSignal,
  ): Promise<UpgradeReport> {
    const { server, instance } = plan;
    let applied = false;
    try {
      const packageLock = await this.fetch(server.id, target, ended);
      const outcome = await this.verifier.verify(async () => instance, target, ended);
      const { verification, found } = outcome;
      ended.throwIfAborted();
      const tools = await this.statesOf(plan, found?.tools ?? null);
      if (!dryRun && (found || (await this.swap.awaitsSignIn(plan, target, outcome)))) {
        await this.swap.carryOut(plan, { entry: target, packageLock }, outcome);
        applied = true;
      }
      return { ...reportOf(plan, dryRun), applied, verification, tools };
    } finally {
      if (!applied) await this.packages.removeOthers(server.id, packageOf(this.packages, server));
    }
  }

  private async fetch(serverId: string, entry: CatalogEntry, ended: AbortSignal): Promise<string | null> {
    if (entry.transport !== 'stdio') return null;
    const { lock } = await this.packages.install(
      { serverId, entry, log: (line) => this.log.log(`Package of server ${serverId}: ${line}`) },
      ended,
    );
    return lock;
  }

  /** Reports all tools as approved for a server never listed before, whose first listing is approved as it is. */
  private async statesOf(
    { server }: UpgradePlan,
    listed: ListedTool[] | null,
  ): Promise<UpgradeReport['tools']> {
    if (!listed) return [];
    if (!server.toolsListedAt) return listed.map(firstStateOf);
    const own = ownFoldersPattern(this.settings.dataDir, server.id);
    return toolsAfter(await this.tools.list(server.id), listed, own);
  }
}

function firstStateOf({ definition: { name }, invalid }: ListedTool): UpgradeReport['tools'][number] {
  return { name, state: invalid === null ? 'approved' : 'invalid' };
}

function reportOf(
  { server, target, missingVariables, droppedVariables }: UpgradePlan,
  dryRun: boolean,
): UpgradeReport {
  const fromVersion = server.entry.version;
  const versions = { fromVersion, toVersion: target?.version ?? fromVersion };
  return {
    dryRun,
    applied: false,
    ...versions,
    missingVariables,
    droppedVariables,
    verification: null,
    tools: [],
  };
}

/** 503: another request changed or removed the server while this one was running. */
export class ServerChangedMeanwhile extends Problem {
  constructor() {
    super(
      'unavailable',
      'Another request changed the server in the meantime; read the server again and retry.',
      {
        headers: { 'Retry-After': '1' },
      },
    );
  }
}
