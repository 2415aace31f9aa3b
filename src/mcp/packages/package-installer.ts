import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ageMs, exists, namesIn, removeIfEmpty, removeTree } from './folder-tree.js';
import type { FetchContext, Fetcher, PackageRequest } from './package-request.js';
import { packageFolder, packagesFolder, serverFolder, serversFolder } from './package-folders.js';
import { PackageUnavailable } from './packages.errors.js';

/** What the installer needs to know of a catalogue entry; a StdioEntry is one. */
export interface InstallableEntry {
  runtime: 'node' | 'python' | 'pipx' | 'none';
  manifest: {
    package: {
      registry: 'npm' | 'pypi' | 'none';
      name?: string | null;
      version?: string | null;
      integrity?: string | null;
    };
    runInstallScripts: boolean;
  };
}

export interface InstallOptions {
  serverId: string;
  entry: InstallableEntry;
  /** Of the install before, by this process or another; none: what the package depends on is resolved anew. */
  lock?: string | null;
  /** Is told the progress, a line at a time. */
  log: (line: string) => void;
}

/** Where a package lies, and its lock; both null where there is nothing to fetch. */
export interface InstalledPackage {
  installDir: string | null;
  lock: string | null;
}

/** Written last: a folder that lacks it was left half-way, by a failure or by the death of the service. */
const mark = 'installed.json';

/**
 * Fetches the pinned packages of servers into `<dataFolder>/mcp/servers/<serverId>/packages/<pin>/` (spec §3.3).
 * Knows nothing of the database: who may install what, and what is installed, is decided above.
 */
export class PackageInstaller {
  private readonly atWork = new Map<string, Promise<void>>();

  constructor(
    private readonly settings: { dataFolder: string; limitMs: number },
    private readonly fetchers: Record<PackageRequest['registry'], Fetcher>,
  ) {}

  /**
   * Fetches the entry's package unless it is there already. A failure leaves nothing behind.
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
    await this.inTurn(folder, async () => {
      if (!(await exists(join(folder, mark)))) await this.fetch(request, { folder, log, signal, lock });
    });
    return { installDir: folder, lock: await lockIn(folder) };
  }

  /** Where the package of the entry is, or would be; null for registry none. */
  installDirOf(serverId: string, entry: InstallableEntry): string | null {
    const request = requestOf(entry);
    return request && packageFolder(this.settings.dataFolder, serverId, request);
  }

  /** Whether the entry's package is there, whole. */
  async isInstalled(serverId: string, entry: InstallableEntry): Promise<boolean> {
    const folder = this.installDirOf(serverId, entry);
    return folder === null || (await exists(join(folder, mark)));
  }

  /** Removes everything of a server: its packages and its data. */
  async remove(serverId: string): Promise<void> {
    await removeTree(serverFolder(this.settings.dataFolder, serverId));
  }

  /** Removes the packages of a server but the one it is started from: after an upgrade, or after one was tried. */
  async removeOthers(serverId: string, installDir: string | null): Promise<void> {
    const folder = packagesFolder(this.settings.dataFolder, serverId);
    const others = (await namesIn(folder))
      .map((name) => join(folder, name))
      .filter((path) => path !== installDir);
    await Promise.all(others.map(removeTree));
  }

  /**
   * Removes what belongs to no known server: left by an install that the death of the service cut short. What was
   * touched in the last 10 minutes may be an install of another process that is not known yet, and stays.
   */
  async removeUnknown(known: ReadonlySet<string>): Promise<void> {
    const folder = serversFolder(this.settings.dataFolder);
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      if (!known.has(name) && (await ageMs(path)) > 10 * 60_000) await removeTree(path);
    }
  }

  /** Two installs into one folder go one after the other; the second finds what the first has fetched. */
  private async inTurn(folder: string, work: () => Promise<void>): Promise<void> {
    for (let other = this.atWork.get(folder); other; other = this.atWork.get(folder))
      await other.catch(() => {});
    const mine = work().finally(() => this.atWork.delete(folder));
    this.atWork.set(folder, mine);
    await mine;
  }

  private async fetch(request: PackageRequest, { folder, log, signal, lock }: FetchContext): Promise<void> {
    const limit = AbortSignal.timeout(this.settings.limitMs);
    try {
      await removeTree(folder);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const kept = await this.fetchers[request.registry](request, {
        folder,
        log,
        lock,
        signal: AbortSignal.any([signal, limit]),
      });
      await writeFile(join(folder, mark), `${JSON.stringify({ ...request, lock: kept }, null, 2)}\n`);
    } catch (error) {
      await this.clear(folder);
      throw limit.aborted && error === limit.reason ? this.tooSlow() : error;
    }
    log(`${request.name}@${request.version} is installed`);
  }

  /** The folder, and those above it that hold nothing else. */
  private async clear(folder: string): Promise<void> {
    await removeTree(folder);
    await removeIfEmpty(dirname(folder));
    await removeIfEmpty(dirname(dirname(folder)));
  }

  private tooSlow(): PackageUnavailable {
    const seconds = Math.round(this.settings.limitMs / 1000);
    return new PackageUnavailable(
      `The package could not be fetched within ${seconds} seconds. Nothing was kept; try again, what was downloaded so far is in the cache.`,
    );
  }
}

/** Null in a folder that was made before locks were kept. */
async function lockIn(folder: string): Promise<string | null> {
  const { lock = null } = JSON.parse(await readFile(join(folder, mark), 'utf8')) as { lock?: string };
  return lock;
}

function requestOf({ runtime, manifest }: InstallableEntry): PackageRequest | null {
  const { registry, name, version, integrity } = manifest.package;
  if (registry === 'none') return null;
  if (!name || !version || !integrity || runtime === 'none')
    throw new PackageUnavailable(
      'The entry has no exact package version with integrity: pin both in CATALOG_DIRS.',
    );
  return { registry, runtime, name, version, integrity, runInstallScripts: manifest.runInstallScripts };
}
