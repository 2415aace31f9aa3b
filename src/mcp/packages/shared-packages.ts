import { rename } from 'node:fs/promises';
import { namesIn, removeTree } from './folder-tree.js';
import { copyPackage } from './package-copy.js';
import { packageFolder, serversFolder } from './package-folders.js';
import { readRecord, writeRecord } from './package-record.js';
import type { FetchContext, PackageRequest } from './package-request.js';

/**
 * Installs a package from the folder of another server that has it, without a request to the registry (decision
 * 0040). Every server keeps a copy of its own, so that the removal of one leaves nothing behind
 * and touches no other. Only files with the hash that was recorded when the package was fetched are copied. A server
 * with a lock of its own gets a copy with the closure of that lock only; any other gets the closure that it finds.
 * @returns whether another server had the package; the folder is as before if not
 */
export async function copyFromOtherServer(
  dataFolder: string,
  request: PackageRequest,
  context: FetchContext,
): Promise<boolean> {
  // What install scripts make need not be the same twice, and may name the folder in binary files.
  if (request.runInstallScripts) return false;
  for (const serverId of await namesIn(serversFolder(dataFolder))) {
    const source = packageFolder(dataFolder, serverId, request);
    if (source !== context.folder && (await copiedFrom(source, request, context))) return true;
  }
  return false;
}

async function copiedFrom(
  source: string,
  request: PackageRequest,
  { folder, lock, log, signal }: FetchContext,
): Promise<boolean> {
  const record = await readRecord(source);
  if (!record?.files || !record.lock || record.runtime !== request.runtime) return false;
  if (lock !== null && !sameClosure(record.lock, lock)) return false;
  const copy = `${folder}.copy`;
  try {
    await removeTree(copy);
    const files = await copyPackage(record.files, source, copy, { named: folder, signal });
    await removeTree(folder);
    await writeRecord(copy, { ...record, files });
    await rename(copy, folder);
    log(`${request.name}@${request.version} is installed from the verified copy of another server`);
    return true;
  } catch (error) {
    await removeTree(copy);
    signal.throwIfAborted();
    log(`the copy of another server cannot be used (${String(error)}); fetching the package`);
    return false;
  }
}

/** Returns whether two locks name the same packages; npm adds details to a lockfile while it installs. */
function sameClosure(one: string, other: string): boolean {
  return closureOf(one) === closureOf(other);
}

function closureOf(lock: string): string {
  if (!lock.startsWith('{')) return lock;
  const { packages } = JSON.parse(lock) as { packages: Record<string, { integrity?: string }> };
  const rows = Object.entries(packages).map(([path, { integrity = '' }]) => `${path} ${integrity}`);
  return rows.toSorted().join('\n');
}
