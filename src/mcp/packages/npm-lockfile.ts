import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageRequest } from './package-request.js';
import { PackageUnavailable } from './packages.errors.js';

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
 * Holds a lockfile, made from what the registry says, against the catalogue: it must name the catalogue's archive,
 * and every package below it must have an integrity too (one from git or a plain address has none).
 * @returns how many packages it names
 * @throws {PackageUnavailable} when it names another archive
 */
export async function checkLockfile(request: PackageRequest, folder: string): Promise<number> {
  const { packages } = await readLockfile(folder);
  const wanted = packages[`node_modules/${request.name}`];
  const told = wanted?.integrity?.split(/\s+/) ?? [];
  if (wanted?.version !== request.version || !told.includes(request.integrity))
    throw new PackageUnavailable(
      `The registry offers another archive of ${request.name}@${request.version} than the one the catalogue vouches for (integrity differs). Nothing was downloaded; find out why before you trust either.`,
    );

  const below = Object.entries(packages).filter(([path]) => path !== '');
  const loose = below.find(([, locked]) => !locked?.integrity && !locked?.inBundle);
  if (loose)
    throw new PackageUnavailable(
      `${request.name}@${request.version} depends on ${loose[0].replace(/^.*node_modules\//, '')}, which is not from the registry and cannot be checked. Nothing was downloaded.`,
    );
  return below.length;
}

/**
 * The lockfile for another host: without the addresses of archives, since that one may have another registry. Their
 * integrity stays, and npm finds them by name and version.
 */
export async function portableLockfile(folder: string): Promise<string> {
  const lockfile = await readLockfile(folder);
  for (const locked of Object.values(lockfile.packages)) delete locked?.resolved;
  return JSON.stringify(lockfile);
}

export async function writeLockfile(folder: string, text: string): Promise<void> {
  await writeFile(join(folder, 'package-lock.json'), text);
}

async function readLockfile(folder: string): Promise<Lockfile> {
  return JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as Lockfile;
}
