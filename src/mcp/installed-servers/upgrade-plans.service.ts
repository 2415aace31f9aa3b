import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { NotFound } from '../../platform/http/problem.js';
import { canonicalJson } from '../../platform/json/exact-json.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import {
  NotInstallable,
  refuseUnlessInstallable,
  refuseUnlessReviewed,
} from '../catalog/installability-and-runtime-detection.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { missingVariables } from '../catalog/variable-values-and-placeholders.js';
import { changeErrors } from '../credentials/credentials-and-env-values.service.js';
import {
  ServerDescriptionsService,
  type ServerInstance,
} from '../running/server-descriptions-and-package-locks.service.js';
import { RuntimeService } from '../runtime/runtime.service.js';
import {
  InstalledServerRepository,
  type InstalledServerRow,
} from '../server-records/installed-server.repository.js';
import {
  hashOf,
  type ListedTool,
  meaningOf,
  type ToolDefinition,
} from '../server-records/tool-definition.js';
import type { Verification } from '../server-records/server-records.entities.js';
import {
  type ApprovedTexts,
  approvedTextOf,
  stateOf,
  type ToolFacts,
  type ToolState,
} from '../server-tools/server-tool.repository.js';

/** Returns whether the catalogue's entry runs other code or declares other variables than the installed entry. */
export function isUpdate(installed: CatalogEntry, inCatalog: CatalogEntry): boolean {
  return canonicalJson(whatRuns(installed)) !== canonicalJson(whatRuns(inCatalog));
}

/** Leaves out the texts that only people read. */
function whatRuns({
  version,
  transport,
  runtime,
  runtimeVersion,
  manifest,
  environmentVariables,
}: CatalogEntry): unknown {
  const variables = environmentVariables.map(({ description: _d, placeholder: _p, ...rest }) => rest);
  return {
    version,
    transport,
    runtime,
    runtimeVersion,
    manifest: { ...manifest, serverJson: null },
    variables,
  };
}

type KnownTool = ToolFacts & { name: string; definition: ToolDefinition } & ApprovedTexts;

/**
 * Returns the states that the stored tools would have after this listing, by name, without any new approval.
 * @param own as of `meaningOf`
 */
export function toolsAfter(
  known: readonly KnownTool[],
  listed: readonly ListedTool[],
  own?: RegExp,
): { name: string; state: ToolState }[] {
  const after = new Map(listed.map((tool) => [tool.definition.name, tool]));
  const before = new Map(known.map((tool) => [tool.name, tool]));
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted((a, b) => (a < b ? -1 : 1));
  return names.map((name) => ({ name, state: stateAfter(before.get(name), after.get(name), own) }));
}

function stateAfter(known: KnownTool | undefined, listed: ListedTool | undefined, own?: RegExp): ToolState {
  return stateOf({
    present: listed !== undefined,
    hash: listed ? hashAfter(known, listed.definition, own) : '',
    approvedHash: known?.approvedHash ?? null,
    invalidReason: listed?.invalid ?? null,
  });
}

/** A tool that means the same as it did, or as it was approved, has that hash. */
function hashAfter(known: KnownTool | undefined, definition: ToolDefinition, own?: RegExp): string {
  const hash = hashOf(definition);
  if (!known || known.hash === hash) return hash;
  const meant = meaningOf(definition, own);
  if (meaningOf(known.definition, own) === meant) return known.hash;
  const approved = approvedTextOf(known);
  return approved && meaningOf(approved, own) === meant ? known.approvedHash! : hash;
}

/** What an upgrade did, or what it would do according to a dry run. */
export interface UpgradeReport {
  dryRun: boolean;
  /** Whether the server runs the new version now. */
  applied: boolean;
  fromVersion: string;
  toVersion: string;
  /** Variables that need a value before the upgrade; an upgrade that is no dry run throws MissingVariables instead. */
  missingVariables: string[];
  /** Variables that the new version no longer declares; the upgrade deletes their values. */
  droppedVariables: string[];
  /** The verification of the new version beside the running one; null if there was none. */
  verification: Verification | null;
  /** The states of the tools under the new version; empty if they were not listed. */
  tools: { name: string; state: ToolState }[];
}

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
    const installed = await this.descriptions.defaultInstance(server.id);
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
