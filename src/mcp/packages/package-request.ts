/** A package to fetch, exact to the bit. */
export interface PackageRequest {
  registry: 'npm' | 'pypi';
  /** Of the entry; tells a venv from pipx for pypi. */
  runtime: 'node' | 'python' | 'pipx';
  name: string;
  version: string;
  /** Subresource integrity of the package's own archive, such as `sha512-…`. */
  integrity: string;
  runInstallScripts: boolean;
}

/** What a fetch works with: the folder to fill, where to tell progress, and when to give up. */
export interface FetchContext {
  folder: string;
  log: (line: string) => void;
  signal: AbortSignal;
  /** What an earlier fetch of this package gave back: with it come the same versions of all that it depends on. */
  lock: string | null;
}

/**
 * Fills `context.folder` with a package; rejects with PackageUnavailable, or with the reason of the signal.
 * @returns its lock
 */
export type Fetcher = (request: PackageRequest, context: FetchContext) => Promise<string>;
