import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { SecretRegister } from '../../platform/encryption/masking.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import type { CatalogEntry, RemoteEntry, StdioEntry } from '../catalog/catalog-entry.js';
import { launchOf, remoteOf } from '../catalog/launch-template.js';
import {
  changeErrors,
  CredentialsRevoked,
  CredentialsService,
  secretsAmong,
} from '../credentials/credentials-and-env-values.service.js';
import { TokenSourcesService } from '../oauth/token-sources-and-refresh.service.js';
import { PackageInstaller } from '../packages/package-installer.js';
import {
  credentialSetOf,
  type EraVerdict,
  limitsBeside,
  type RemoteServer,
  type ServerDescription,
  type ServerLimits,
  type StdioServer,
} from '../processes/server-description-and-limits.js';
import { RuntimeService } from '../runtime/runtime.service.js';
import { dataFolderOf, withAgentFolders } from '../server-processes/server-folders.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import { defaultSetOf } from '../server-records/server-records.entities.js';

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
    private readonly servers: InstalledServerRepository,
  ) {}

  /**
   * Does nothing if the package is present.
   * @throws {PackageUnavailable} when the package cannot be fetched; the reason of `signal` when that fires first
   */
  async restore({ id, entry, revision }: InstalledEntry, signal: AbortSignal): Promise<void> {
    if (entry.transport !== 'stdio' || (await this.packages.isInstalled(id, entry))) return;
    const server = await this.servers.findOne({
      select: { id: true, packageLock: true },
      where: { id, revision },
    });
    const lock = server?.packageLock ?? null;
    const log = (line: string): void => this.log.log(`Package of server ${id}: ${line}`);
    await this.packages.install({ serverId: id, entry, lock, log }, signal);
  }
}

/** A server as it will run: with its installed entry, or for an upgrade with the catalogue's entry. */
export interface ServerInstance {
  id: string;
  name: string;
  entry: CatalogEntry;
  revision: number;
  credentialSetId: string;
  credentialSetName: string;
  /** Whether a person has signed in with the credential set. */
  isSignedIn: boolean;
  /** Whether the entry is not that of the installed server, but tried for an upgrade. */
  isTrial: boolean;
  /** Of a process of this server with these credentials. */
  processRevision: string;
  limits: ServerLimits;
  /** Decrypted values by name. */
  values: Record<string, string>;
  eraVerdict: EraVerdict | null;
}

/**
 * Describes for `mcp/processes` how to start or reach a server. Credentials are decrypted here, right before they are
 * used.
 */
@Injectable()
export class ServerDescriptionsService {
  /** Package folders found complete, so that a call does not check the disk again. */
  private readonly present = new Set<string>();

  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly credentials: CredentialsService,
    private readonly packages: PackageInstaller,
    private readonly restorer: PackageRestoreService,
    private readonly runtimes: RuntimeService,
    private readonly tokens: TokenSourcesService,
    private readonly secrets: SecretRegister,
    private readonly settings: Settings,
  ) {}

  /**
   * @param scope the result of `scopeOf`; each scope has its own process and data folder
   * @param signal ends a fetch of the package that the description waits for
   * @throws {NotFound} {SealBroken} {MissingVariables} {RuntimeNotDetected} {ValidationFailed} {PackageUnavailable}
   */
  async describe(serverId: string, scope: string, signal?: AbortSignal): Promise<ServerDescription> {
    const instance = await this.instance(serverId, credentialSetOf(serverId, scope));
    await this.fetchIfMissing(instance, signal ?? new AbortController().signal);
    return this.descriptionOf(instance, scope);
  }

  /**
   * The server as the platform itself uses it, for verifications and upgrades: with the credential set `default` (contract §3.5).
   * Throws as `instance` does.
   */
  defaultInstance(serverId: string): Promise<ServerInstance> {
    return this.instance(serverId, defaultSetOf(serverId));
  }

  /**
   * Returns the installed server with the values of a credential set decrypted.
   * @throws {NotFound} {CredentialsRevoked} {SealBroken}
   */
  async instance(serverId: string, credentialSetId: string): Promise<ServerInstance> {
    const row = await this.servers.findSealed(serverId, credentialSetId);
    if (!row) throw new NotFound();
    if (row.isRevoked) throw new CredentialsRevoked(row.credentialSetName);
    const values = this.credentials.open(credentialSetId, row.sealed);
    this.secrets.set(credentialSetId, secretsAmong([row.entry], values));
    return {
      id: row.id,
      name: row.name,
      entry: row.entry,
      revision: row.revision,
      credentialSetId,
      credentialSetName: row.credentialSetName,
      isSignedIn: row.isSignedIn,
      isTrial: false,
      processRevision: row.processRevision,
      limits: row.limits,
      values,
      // It was found with the set `default`.
      eraVerdict: credentialSetId === defaultSetOf(row.id) ? row.eraVerdict : null,
    };
  }

  async descriptionOf(instance: ServerInstance, scope: string): Promise<ServerDescription> {
    const { id, name, entry, values, processRevision, eraVerdict, limits } = instance;
    // A path that was valid when it was entered may have become a link into the data folder since.
    const errors = await changeErrors([entry], filepathsAmong(entry, values), this.settings.dataDir);
    if (errors.length > 0) throw new ValidationFailed(errors);
    const placed = await withAgentFolders(entry, values, scope, this.settings.dataDir);
    const common = {
      serverId: id,
      name,
      secrets: secretsAmong([entry], values),
      revision: processRevision,
      limits: limitsBeside(entry.transport === 'stdio' ? entry.manifest.limits : null, limits),
      prior: eraVerdict ?? undefined,
    };
    if (entry.transport !== 'stdio') return { ...common, ...this.remoteOf(entry, instance) };
    return { ...common, ...(await this.launchOf(id, entry, placed, scope)) };
  }

  /** Returns the private writable folder of one scope of a server. */
  dataFolder(serverId: string, scope: string): string {
    return dataFolderOf(this.settings.dataDir, serverId, scope);
  }

  private async fetchIfMissing(instance: ServerInstance, signal: AbortSignal): Promise<void> {
    const { id, entry } = instance;
    if (entry.transport !== 'stdio') return;
    const folder = this.packages.installDirOf(id, entry);
    if (folder === null || this.present.has(folder)) return;
    await this.restorer.restore(instance, signal);
    this.present.add(folder);
  }

  private remoteOf(entry: RemoteEntry, instance: ServerInstance): RemoteServer {
    const remote = remoteOf(entry, instance.values);
    const tokens = this.tokens.of({ ...instance, entry, remote });
    return { transport: entry.transport, ...remote, ...(tokens && { tokens }) };
  }

  private async launchOf(
    id: string,
    entry: StdioEntry,
    values: Record<string, string>,
    scope: string,
  ): Promise<StdioServer> {
    const installDir = this.packages.installDirOf(id, entry);
    const dataDir = this.dataFolder(id, scope);
    const launch = launchOf(entry, { installDir, dataDir, values, python: await this.pythonFor(entry) });
    return { transport: 'stdio', ...launch, installDir, dataDir };
  }

  private async pythonFor(entry: StdioEntry): Promise<string | null> {
    if (entry.manifest.launch.command !== 'python') return null;
    const { python } = await this.runtimes.report();
    return python.detected ? python.path : null;
  }
}

function filepathsAmong(entry: CatalogEntry, values: Record<string, string>): Record<string, string> {
  const isFilepath = (name: string): boolean =>
    entry.environmentVariables.some((variable) => variable.name === name && variable.format === 'filepath');
  return Object.fromEntries(Object.entries(values).filter(([name]) => isFilepath(name)));
}
