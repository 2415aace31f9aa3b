import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { KeyedQueue } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import { COMPLETION_FILE, copyFromOtherServer, filesOf, readRecord, writeRecord } from './package-copy.js';
import {
  ageMs,
  exists,
  type FetchContext,
  type Fetcher,
  namesIn,
  packageFolder,
  type PackageRequest,
  packagesFolder,
  PackageUnavailable,
  type PinnedDistribution,
  removeIfEmpty,
  removeTree,
  serverFolder,
  serversFolder,
} from './package-unavailable-and-folders.js';
import { removeWorkFolder } from './package-sandbox.js';

/** The part of a catalogue entry that the installer reads; a StdioEntry has it. */
export interface InstallableEntry {
  runtime: 'node' | 'python' | 'pipx' | 'none';
  manifest: {
    package: {
      registry: 'npm' | 'pypi' | 'none';
      name?: string | null;
      version?: string | null;
      integrity?: string | null;
      closure?: PinnedDistribution[] | null;
    };
    runInstallScripts: boolean;
  };
}

export interface InstallOptions {
  serverId: string;
  entry: InstallableEntry;
  /** The lock of an earlier installation, by this process or another; without it dependencies are resolved again. */
  lock?: string | null;
  /** Receives the progress, one line at a time. */
  log: (line: string) => void;
}

/** The folder of a package and its lock; both null if there is nothing to fetch. */
export interface InstalledPackage {
  installDir: string | null;
  lock: string | null;
}

/**
 * Fetches the pinned packages of servers into `<dataFolder>/mcp/servers/<serverId>/packages/<pin>/` (contract §3.3).
 * It does not use the database: its callers decide what is installed and who may install it.
 */
export class PackageInstaller {
  private readonly installs = new KeyedQueue();

  constructor(
    private readonly settings: { dataFolder: string; limitMs: number },
    private readonly fetchers: Record<PackageRequest['registry'], Fetcher>,
  ) {}

  /**
   * Fetches the entry's package unless it is already present. A failure leaves nothing behind.
   * @throws {PackageUnavailable} when it cannot be fetched, does not match, or takes longer than the limit; the
   *   reason of `signal` when that fires first
   */
  async install(
    { serverId, entry, log, lock = null }: InstallOptions,
    signal: AbortSignal,
  ): Promise<InstalledPackage> {
    const request = requestOf(entry);
    if (!request) return { installDir: null, lock: null };
    const folder = packageFolder(this.settings.dataFolder, serverId, request);
    const limit = AbortSignal.timeout(this.settings.limitMs);
    const either = AbortSignal.any([signal, limit]);
    try {
      // The second of two installs of one package finds what the first has fetched.
      await this.inTurn(basename(folder), either, async () => {
        if (!(await exists(join(folder, COMPLETION_FILE))))
          await this.fill(request, { folder, log, signal: either, lock });
      });
    } catch (error) {
      throw limit.aborted && error === limit.reason ? this.timedOut() : error;
    }
    return { installDir: folder, lock: (await readRecord(folder))?.lock ?? null };
  }

  /** Returns the folder where the package of the entry is or would be; null for registry none. */
  installDirOf(serverId: string, entry: InstallableEntry): string | null {
    const request = requestOf(entry);
    return request && packageFolder(this.settings.dataFolder, serverId, request);
  }

  /** Returns whether the entry's package is present and complete. */
  async isInstalled(serverId: string, entry: InstallableEntry): Promise<boolean> {
    const folder = this.installDirOf(serverId, entry);
    return folder === null || (await exists(join(folder, COMPLETION_FILE)));
  }

  /** Removes the packages and the data of a server. */
  async remove(serverId: string): Promise<void> {
    await removeTree(serverFolder(this.settings.dataFolder, serverId));
  }

  /** Removes all packages of a server except the one in `installDir`, after an upgrade or an attempt at one. */
  async removeOthers(serverId: string, installDir: string | null): Promise<void> {
    const folder = packagesFolder(this.settings.dataFolder, serverId);
    const others = (await namesIn(folder))
      .map((name) => join(folder, name))
      .filter((path) => path !== installDir);
    await Promise.all(others.map(removeTree));
  }

  /**
   * Removes the folders of unknown servers, which an installation leaves behind when the service dies. A folder that
   * changed in the last 10 minutes stays, because another process may be installing into it.
   */
  async removeUnknown(known: ReadonlySet<string>): Promise<void> {
    const folder = serversFolder(this.settings.dataFolder);
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      if (!known.has(name) && (await ageMs(path)) > 10 * 60_000) await removeTree(path);
    }
  }

  /** Runs a task after those with the same key. A task whose signal fires while it waits never starts. */
  private async inTurn(key: string, signal: AbortSignal, task: () => Promise<void>): Promise<void> {
    let started = false;
    const left = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => !started && reject(signal.reason as Error), { once: true });
    });
    const done = this.installs.run(key, async () => {
      signal.throwIfAborted();
      started = true;
      await task();
    });
    await Promise.race([done, left]);
  }

  /** Fills the folder of a package and writes its record last. */
  private async fill(request: PackageRequest, context: FetchContext): Promise<void> {
    const { folder, log } = context;
    try {
      await removeTree(folder);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (await copyFromOtherServer(this.settings.dataFolder, request, context)) return;
      const resolved = await this.fetchers[request.registry](request, context);
      const lock = await resolved.install();
      await removeWorkFolder(folder);
      await writeRecord(folder, { ...request, lock, files: await filesOf(folder) });
    } catch (error) {
      await this.clear(folder);
      throw error;
    }
    log(`${request.name}@${request.version} is installed`);
  }

  /** Removes the folder and those parent folders that become empty. */
  private async clear(folder: string): Promise<void> {
    await removeTree(folder);
    await removeIfEmpty(dirname(folder));
    await removeIfEmpty(dirname(dirname(folder)));
  }

  private timedOut(): PackageUnavailable {
    const seconds = Math.round(this.settings.limitMs / 1000);
    return new PackageUnavailable(
      `The package could not be fetched within ${seconds} seconds. Nothing was kept; try again: what was downloaded so far is in the cache.`,
    );
  }
}

function requestOf({ runtime, manifest }: InstallableEntry): PackageRequest | null {
  const { registry, name, version, integrity, closure = null } = manifest.package;
  if (registry === 'none') return null;
  if (!name || !version || !integrity || runtime === 'none')
    throw new PackageUnavailable(
      'The entry has no exact package version with integrity: pin both in CATALOG_DIRS.',
    );
  const { runInstallScripts } = manifest;
  return { registry, runtime, name, version, integrity, closure, runInstallScripts };
}
