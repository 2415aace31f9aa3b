import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PackageRequest, PackageUnavailable } from './package-request.js';

interface Lockfile {
  packages: Record<string, Locked | undefined>;
}

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  inBundle?: boolean;
}

/**
 * One SHA-512 hash and nothing else. npm accepts an archive that matches any hash of the strongest algorithm in a list,
 * and adds what the registry announces to a weaker one, so that a list or a SHA-1 pins nothing.
 */
const ONE_SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** Where npm records what it has unpacked. */
const INSTALLED = join('node_modules', '.package-lock.json');

/**
 * Checks the lockfile in a folder: it names the catalogue's archive, and every package of the closure has exactly one
 * SHA-512 hash (one from git or from a plain address has none). A bundled package lies in the archive of another, whose
 * hash covers it.
 * @returns the number of packages that the lockfile names
 * @throws {PackageUnavailable} when it names another archive, or a package whose content it does not pin
 */
export async function checkLockfile(request: PackageRequest, folder: string): Promise<number> {
  const packages = await packagesIn(folder, 'package-lock.json');
  const below = Object.entries(packages).filter(([path]) => path !== '');
  for (const [path, locked] of below) refuseUnpinned(request, path, locked ?? {});
  const wanted = packages[`node_modules/${request.name}`];
  if (wanted?.version !== request.version || wanted.integrity !== request.integrity)
    throw new PackageUnavailable(
      `The registry offers an archive of ${request.name}@${request.version} other than the one in the catalogue (integrity differs). Nothing was downloaded; find out why before you trust either.`,
    );
  return below.length;
}

/**
 * Checks that npm unpacked what the checked lockfile names and nothing else, before any of it can run. A registry that
 * announces a package as bundled makes npm fetch it without a hash when the archive lacks it.
 * @throws {PackageUnavailable} when a package is installed that the lockfile does not name with this hash
 */
export async function checkInstalled(request: PackageRequest, folder: string): Promise<void> {
  await checkLockfile(request, folder);
  const locked = await packagesIn(folder, 'package-lock.json');
  for (const [path, found] of Object.entries(await packagesIn(folder, INSTALLED))) {
    const expected = locked[path];
    const agrees = expected && sameArchive(expected, found ?? {});
    if (!agrees) throw unpinned(request, path, 'which npm installed otherwise than the lockfile says');
  }
}

/**
 * Returns the lockfile in a form for other hosts: without the addresses of archives, since another host may use another
 * registry. The integrity stays, and npm finds the archives by name and version.
 */
export async function portableLockfile(folder: string): Promise<string> {
  const lockfile = await readLockfile(folder, 'package-lock.json');
  for (const locked of Object.values(lockfile.packages)) delete locked?.resolved;
  return JSON.stringify(lockfile);
}

export async function writeLockfile(folder: string, text: string): Promise<void> {
  await writeFile(join(folder, 'package-lock.json'), text);
}

function refuseUnpinned(request: PackageRequest, path: string, { integrity, inBundle }: Locked): void {
  if (inBundle) {
    if (!path.includes('/node_modules/'))
      throw unpinned(request, path, 'which is announced as bundled, but no package holds it');
  } else if (!integrity)
    throw unpinned(request, path, 'which is not from the registry and cannot be checked');
  else if (/\s/.test(integrity.trim()))
    throw unpinned(request, path, 'for which the registry names more than one hash (integrity differs)');
  else if (!ONE_SHA512.test(integrity))
    throw unpinned(request, path, 'for which the registry names no SHA-512 hash');
}

function unpinned({ name, version }: PackageRequest, path: string, reason: string): PackageUnavailable {
  const dependency = path.replace(/^.*node_modules\//, '');
  return new PackageUnavailable(
    `${name}@${version} needs ${dependency}, ${reason}. Nothing was kept; find out why before you trust the registry.`,
  );
}

function sameArchive(expected: Locked, found: Locked): boolean {
  return (
    expected.version === found.version &&
    expected.integrity === found.integrity &&
    Boolean(expected.inBundle) === Boolean(found.inBundle)
  );
}

async function packagesIn(folder: string, name: string): Promise<Lockfile['packages']> {
  return (await readLockfile(folder, name)).packages;
}

async function readLockfile(folder: string, name: string): Promise<Lockfile> {
  return JSON.parse(await readFile(join(folder, name), 'utf8')) as Lockfile;
}
