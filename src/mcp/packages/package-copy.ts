import { createHash } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Semaphore } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import {
  type FetchContext,
  namesIn,
  packageFolder,
  type PackageRequest,
  removeTree,
  serversFolder,
} from './package-unavailable-and-folders.js';

/** A file of a package by its path in the package's folder. */
export type PackageFile =
  | { path: string; sha256: string; mode: number; mtimeMs: number }
  | { path: string; link: string };

/** A file differs from what was installed; another process has changed it. */
export class PackageAltered extends Error {}

/** The folder that is copied, the new one, and its final path. */
interface Place {
  from: string;
  to: string;
  named: string;
}

const AT_ONCE = 16;

/** Lists every file in a folder with its hash. */
export async function filesOf(folder: string): Promise<PackageFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return await each(paths, (path) => fileAt(folder, path));
}

/**
 * Copies the listed files of a package into another folder, and checks the hash of each one on the way. Text that holds
 * the path of the old folder, such as the programs of a virtual environment, gets that of the new one.
 * @param named the final path of the new folder, which text in it names
 * @returns the files of the copy
 * @throws {PackageAltered} when a file is not as it was installed; the reason of the signal when that fires
 */
export async function copyPackage(
  files: readonly PackageFile[],
  from: string,
  to: string,
  { named = to, signal }: { named?: string; signal: AbortSignal },
): Promise<PackageFile[]> {
  const folders = new Set(files.map(({ path }) => dirname(join(to, path))));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  return await each(files, async (file) => {
    signal.throwIfAborted();
    const place = { from, to, named };
    return 'link' in file ? await copyLink(file, place) : await copyFile(file, place);
  });
}

/** Runs a task for each item, some at a time, and waits for all of them even if one fails. */
async function each<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const places = new Semaphore(AT_ONCE);
  const done = await Promise.allSettled(items.map((item) => places.run(() => task(item))));
  return done.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

async function fileAt(folder: string, path: string): Promise<PackageFile> {
  const state = await lstat(join(folder, path));
  if (state.isSymbolicLink()) return { path, link: await readlink(join(folder, path)) };
  const sha256 = hashOf(await readFile(join(folder, path)));
  return { path, sha256, mode: state.mode & 0o777, mtimeMs: state.mtimeMs };
}

async function copyLink(
  { path, link }: { path: string; link: string },
  { from, to, named }: Place,
): Promise<PackageFile> {
  const target = link.replace(from, named);
  await symlink(target, join(to, path));
  return { path, link: target };
}

async function copyFile(
  file: { path: string; sha256: string; mode: number; mtimeMs: number },
  { from, to, named }: Place,
): Promise<PackageFile> {
  const content = await readFile(join(from, file.path));
  if (hashOf(content) !== file.sha256) throw new PackageAltered(file.path);
  const moved = relocated(content, from, named);
  const path = join(to, file.path);
  await writeFile(path, moved);
  await chmod(path, file.mode);
  // Python recognises the compiled form of a module by the module's time.
  await utimes(path, file.mtimeMs / 1000, file.mtimeMs / 1000);
  return moved === content ? file : { ...file, sha256: hashOf(moved) };
}

function relocated(content: Buffer, from: string, to: string): Buffer {
  if (!content.includes(from) || content.includes(0)) return content;
  return Buffer.from(content.toString('utf8').replaceAll(from, to));
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64');
}

/** This file is written last: a folder without it is incomplete, after a failure or the death of the service. */
export const COMPLETION_FILE = 'installed.json';

/** What was installed into a folder; an earlier release recorded no files, and before that no lock. */
export type PackageRecord = PackageRequest & { lock?: string | null; files?: PackageFile[] };

/** Returns the record of a package; null if the folder is missing or incomplete. */
export async function readRecord(folder: string): Promise<PackageRecord | null> {
  try {
    return JSON.parse(await readFile(join(folder, COMPLETION_FILE), 'utf8')) as PackageRecord;
  } catch {
    // Without a readable record the package counts as absent, and is fetched.
    return null;
  }
}

export async function writeRecord(folder: string, record: PackageRecord): Promise<void> {
  await writeFile(join(folder, COMPLETION_FILE), `${JSON.stringify(record)}\n`);
}

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
