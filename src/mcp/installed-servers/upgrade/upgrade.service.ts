import { Injectable, Logger } from '@nestjs/common';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import { MissingVariables } from '../../catalog/catalog.errors.js';
import { PackageInstaller } from '../../packages/package-installer.js';
import { ServerWork } from '../running/server-work.js';
import { ServerToolsRepository } from '../tools/server-tools.repository.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import { ServerVerifier } from '../verification/server-verifier.js';
import { EntrySwap, packageOf } from './entry-swap.js';
import { TakingTurns } from './taking-turns.js';
import { toolsAfter } from './tools-after.js';
import { UpgradePlans, type Plan } from './upgrade-plan.js';
import type { UpgradeReport } from './upgrade-report.js';

/**
 * Upgrades servers to the catalogue's version. Whatever can fail comes before the swap: the new package is fetched
 * into a folder of its own and verified with the stored credentials, while agents go on with the old one.
 */
@Injectable()
export class UpgradeService {
  private readonly log = new Logger(UpgradeService.name);
  private readonly turns = new TakingTurns();

  constructor(
    private readonly plans: UpgradePlans,
    private readonly packages: PackageInstaller,
    private readonly verifier: ServerVerifier,
    private readonly tools: ServerToolsRepository,
    private readonly swap: EntrySwap,
    private readonly work: ServerWork,
  ) {}

  /**
   * A new version that does not verify changes nothing; the report says why.
   * @throws {MissingVariables} unless it is a dry run, which tells them in its report
   * @throws {PackageUnavailable} {NotInstallable} {RuntimeNotDetected} {NotFound} {ServerChangedMeanwhile}
   */
  upgrade(serverId: string, dryRun: boolean): Promise<UpgradeReport> {
    return this.work.run(serverId, (ended) =>
      this.turns.run(serverId, async () => {
        try {
          return await this.carryOut(await this.plans.make(serverId), dryRun, ended);
        } catch (fault) {
          ended.throwIfAborted();
          throw fault;
        }
      }),
    );
  }

  private async carryOut(plan: Plan, dryRun: boolean, ended: AbortSignal): Promise<UpgradeReport> {
    const nothing = reportOf(plan, dryRun);
    if (!plan.target) return nothing;
    if (plan.missingVariables.length > 0) {
      if (dryRun) return nothing;
      throw new MissingVariables(plan.missingVariables);
    }
    return this.tryTarget(plan, plan.target, dryRun, ended);
  }

  private async tryTarget(
    plan: Plan,
    target: CatalogEntry,
    dryRun: boolean,
    ended: AbortSignal,
  ): Promise<UpgradeReport> {
    const { server, instance } = plan;
    let applied = false;
    try {
      const packageLock = await this.fetch(server.id, target, ended);
      const { verification, found } = await this.verifier.verify(async () => instance, target, ended);
      ended.throwIfAborted();
      const tools = await this.statesOf(plan, found?.tools ?? null);
      if (!dryRun && found) {
        await this.swap.carryOut(plan, { entry: target, packageLock }, { verification, found });
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
      { serverId, entry, log: (line) => this.log.log(`${serverId}: ${line}`) },
      ended,
    );
    return lock;
  }

  /** The first listing of a server is approved as it is, so there is nothing to compare it with. */
  private async statesOf({ server }: Plan, listed: ToolDefinition[] | null): Promise<UpgradeReport['tools']> {
    if (!listed) return [];
    if (!server.toolsListedAt) return listed.map(({ name }) => ({ name, state: 'approved' }));
    return toolsAfter(await this.tools.list(server.id), listed);
  }
}

function reportOf(
  { server, target, missingVariables, droppedVariables }: Plan,
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
