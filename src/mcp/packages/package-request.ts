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
