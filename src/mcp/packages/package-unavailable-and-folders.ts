import { createHash } from 'node:crypto';
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../platform/http/problem.js';

/** 502: the package of an entry could not be fetched or did not match; nothing of it was kept (contract §3.3). */
export class PackageUnavailable extends Problem {
  constructor(cause: string) {
    super('package_unavailable', cause);
  }
}

/** A package to fetch, identified by its integrity. */
export interface PackageRequest {
  registry: 'npm' | 'pypi';
  /** The runtime of the entry, which selects the layout of the folder for pypi. */
  runtime: 'node' | 'python' | 'pipx';
  name: string;
  version: string;
  /** The subresource integrity of the package's own archive, such as `sha512-…`. */
  integrity: string;
  /** All packages that a package of pypi depends on; null if the entry does not name them. */
  closure: PinnedDistribution[] | null;
  runInstallScripts: boolean;
}

/** A dependency of a package of PyPI with its archives for every platform that the entry supports. */
export interface PinnedDistribution {
  name: string;
  version: string;
  files: { filename: string; sha256: string }[];
}

/** The folder that a fetch fills, the log for its progress, and the signal that ends it. */
export interface FetchContext {
  folder: string;
  log: (line: string) => void;
  signal: AbortSignal;
  /** The result of an earlier fetch of this package, which fixes its dependencies; null without one. */
  lock: string | null;
}

/** A package whose lock is known and which is not installed yet. */
export interface ResolvedPackage {
  /** Names every package of the closure with its hashes. */
  lock: string;
  /** Fills `context.folder` and returns the lock to store. */
  install: () => Promise<string>;
}

/**
 * Determines the lock of a package, with `context.folder` for files of its own.
 * @throws {PackageUnavailable} when the package cannot be fetched; the reason of the signal when that fires first. So
 *   does `install`
 */
export type Fetcher = (request: PackageRequest, context: FetchContext) => Promise<ResolvedPackage>;

/** Removes a folder with its contents; one that does not exist is no error. */
export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Removes a folder if it is empty. */
export async function removeIfEmpty(path: string): Promise<void> {
  // The folder is missing or not empty. An empty folder that stays by another error does no harm.
  await rmdir(path).catch(() => undefined);
}

export async function exists(path: string): Promise<boolean> {
  // A path that cannot be read counts as missing: the work that would use it reports the cause.
  return (await stat(path).catch(() => null)) !== null;
}

/** Returns the milliseconds since an entry was added to or removed from a folder; 0 if the folder is gone. */
export async function ageMs(path: string): Promise<number> {
  // Another process may have removed the folder; age 0 leaves it alone.
  const state = await stat(path).catch(() => null);
  return state ? Date.now() - state.mtimeMs : 0;
}

/** Returns the names in a folder; none if it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  // A folder that cannot be read has nothing that its callers could remove.
  return await readdir(folder).catch(() => []);
}

/**
 * Returns the folder of everything that belongs to one installed server; it is removed with the server.
 * @throws {TypeError} when the id is not a plain name, since the folder is removed with its contents
 */
export function serverFolder(dataFolder: string, serverId: string): string {
  if (!/^[0-9a-zA-Z][0-9a-zA-Z_-]*$/.test(serverId))
    throw new TypeError('A server id consists of letters, digits, - and _.');
  return join(serversFolder(dataFolder), serverId);
}

export function serversFolder(dataFolder: string): string {
  return join(dataFolder, 'mcp', 'servers');
}

/** Returns the folder of one server's packages, which has one folder per pin. */
export function packagesFolder(dataFolder: string, serverId: string): string {
  return join(serverFolder(dataFolder, serverId), 'packages');
}

/**
 * Returns the folder of one pin. Its name is the version, for people, and a hash of everything that determines the
 * content, so that an entry with a corrected integrity never writes into the folder of a running server.
 */
export function packageFolder(dataFolder: string, serverId: string, request: PackageRequest): string {
  const identity = JSON.stringify([
    request.registry,
    request.name,
    request.version,
    request.integrity,
    request.runInstallScripts,
    // Absent without a closure, so that the folders of earlier releases keep their names.
    ...(request.closure ? [request.closure] : []),
  ]);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 12);
  return join(packagesFolder(dataFolder, serverId), `${request.version.replace(/[^\w.+-]/g, '_')}-${hash}`);
}
