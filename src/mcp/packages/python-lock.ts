import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageRequest, PinnedDistribution } from './package-request.js';
import { PackageUnavailable } from './packages.errors.js';

/** One line of a lock: a version of a distribution, and the hashes of the archives that it may come from. */
export interface LockedDistribution {
  name: string;
  version: string;
  /** In pip's form, such as `sha256:<hex>`. */
  hashes: string[];
}

/** Returns the lock as a requirements file for pip's `--require-hashes`, sorted by name. */
export function lockText(distributions: readonly LockedDistribution[]): string {
  const lines = distributions.map(({ name, version, hashes }) =>
    [`${normalName(name)}==${version}`, ...hashes.map((hash) => `--hash=${hash}`)].join(' '),
  );
  return `${lines.toSorted().join('\n')}\n`;
}

/** Reads a lock. The lines of a lock that an earlier release stored have no hashes. */
export function readLock(text: string): LockedDistribution[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [requirement = '', ...options] = line.split(' ');
      const [name = '', version = ''] = requirement.split('==');
      return { name, version, hashes: options.map((option) => option.replace('--hash=', '')) };
    });
}

/** Returns the lock of an entry that names its whole closure. */
export function lockOfClosure(request: PackageRequest, closure: readonly PinnedDistribution[]): string {
  const others = closure.map(({ name, version, files }) => {
    return { name, version, hashes: files.map(({ sha256 }) => `sha256:${sha256}`) };
  });
  return lockText([ownLine(request), ...others]);
}

/**
 * Returns the lock of the archives in a folder, into which pip has downloaded a package with its dependencies.
 * @throws {PackageUnavailable} when the package's own archive is not the one that the catalogue names
 */
export async function lockOfArchives(request: PackageRequest, folder: string): Promise<string> {
  const own = ownLine(request);
  const locked: LockedDistribution[] = [];
  for (const file of (await readdir(folder)).toSorted()) {
    const content = await readFile(join(folder, file));
    const isOwn = normalName(distributionOf(file).name) === normalName(request.name);
    const [algorithm = 'sha256'] = isOwn ? request.integrity.split('-') : ['sha256'];
    const hash = `${algorithm}:${createHash(algorithm).update(content).digest('hex')}`;
    locked.push({ ...distributionOf(file), hashes: [hash] });
  }
  const text = lockText(locked);
  refuseOtherArchive(request, own, text);
  return text;
}

/** @throws {PackageUnavailable} when a lock names another archive of the package than the catalogue */
export function refuseOtherPin(request: PackageRequest, lock: string): void {
  refuseOtherArchive(request, ownLine(request), lock);
}

/** Returns whether every line of a lock has a hash. */
export function hasHashes(lock: string): boolean {
  return readLock(lock).every(({ hashes }) => hashes.length > 0);
}

/** Returns a name in the form in which two names of one distribution are equal (PEP 503). */
export function normalName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}

function refuseOtherArchive(request: PackageRequest, own: LockedDistribution, lock: string): void {
  if (lock.split('\n').includes(lockText([own]).trim())) return;
  throw new PackageUnavailable(
    `The index offers an archive of ${request.name}==${request.version} other than the one in the catalogue (integrity differs). Nothing was installed; find out why before you trust either.`,
  );
}

function ownLine({ name, version, integrity }: PackageRequest): LockedDistribution {
  const [algorithm, digest = ''] = integrity.split('-');
  return { name, version, hashes: [`${algorithm}:${Buffer.from(digest, 'base64').toString('hex')}`] };
}

/** Returns `acme-mcp` and `1.0.0` for `acme_mcp-1.0.0-py3-none-any.whl` and for `acme-mcp-1.0.0.tar.gz`. */
function distributionOf(file: string): { name: string; version: string } {
  const source = /^(.+)-([^-]+)\.(?:tar\.gz|tgz|zip)$/.exec(file);
  const [, name = file, version = ''] = source ?? /^([^-]+)-([^-]+)-.+\.whl$/.exec(file) ?? [];
  return { name, version };
}
