import { Injectable, Logger } from '@nestjs/common';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import { MissingVariables } from '../../catalog/catalog.errors.js';
import { PackageInstaller } from '../../packages/package-installer.js';
import { ToolsHostsClient } from '../hosts/tools-hosts.client.js';
import { CancellableWorkService } from '../running/cancellable-work.service.js';
import { ServerToolsRepository } from '../tools/server-tools.repository.js';
import type { ListedTool } from '../tools/tool-definition.js';
import { ServerVerifierService } from '../verification/server-verifier.service.js';
import { EntrySwapService, packageOf } from './entry-swap.service.js';
import { KeyedQueue } from '../../../platform/concurrency/keyed-queue.js';
import { toolsAfter } from './tools-after.js';
import { UpgradePlansService, type UpgradePlan } from './upgrade-plans.service.js';
import type { UpgradeReport } from './upgrade-report.js';

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
    private readonly tools: ServerToolsRepository,
    private readonly swap: EntrySwapService,
    private readonly work: CancellableWorkService,
    private readonly hosts: ToolsHostsClient,
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
    return toolsAfter(await this.tools.list(server.id), listed);
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
