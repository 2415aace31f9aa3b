import { closeSync, readdirSync, readFileSync } from 'node:fs';
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DataSource } from 'typeorm';
import { clockAheadMs } from '../database/data-source-pool-and-limits.js';
import { isDiskFull } from '../database/postgres-errors.js';
import { EXIT_CONFIG, EXIT_RETRY, StartError } from '../exit/exit-codes.js';

/** Present in a data folder while `npm run restore` fills it. */
export const UNFINISHED_RESTORE = 'restore-unfinished';

interface Folder {
  dataDir: string;
  /** null: the embedded database. */
  databaseUrl: string | null;
}

/**
 * Creates the data folder where it is missing, and checks that the service can use it.
 * @throws {StartError} when it cannot be created or written, or holds something else than the data of one service
 */
export async function prepareDataFolder({ dataDir, databaseUrl }: Folder): Promise<void> {
  try {
    for (const folder of await missingFolders(dataDir)) await makeFolder(folder);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw folderError(dataDir, error);
  }
  await refuseUnfinishedRestore(dataDir);
  if (databaseUrl === null) await refuseNestedFolder(dataDir);
}

/** @throws {StartError} when a restore into this folder was interrupted */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  if (!(await exists(join(dataDir, UNFINISHED_RESTORE)))) return;
  throw new StartError(
    `DATA_DIR (${dataDir}) holds the beginning of a restore that did not finish`,
    'empty the folder, and the database of DATABASE_URL if it is set, and run `npm run restore` again',
    EXIT_CONFIG,
  );
}

/**
 * Refuses a folder that was copied into itself, as `cp -a backup/data data` does when `data` exists: the start would
 * create a new, empty database beside the copied one.
 * @throws {StartError} in that case
 */
export async function refuseNestedFolder(dataDir: string): Promise<void> {
  const nested = join(dataDir, 'data');
  if ((await exists(join(dataDir, 'postgres'))) || !(await exists(join(nested, 'postgres')))) return;
  throw new StartError(
    `DATA_DIR (${dataDir}) holds no database, but the folder data in it does`,
    `move the contents of ${nested} one level up, or set DATA_DIR to that folder`,
    EXIT_CONFIG,
  );
}

/**
 * Returns the folders to create, the outermost first. Node's recursive mkdir is not used: below /proc, which allows no
 * new folders, it never returns.
 */
async function missingFolders(folder: string): Promise<string[]> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found?.isDirectory()) return [];
  if (found) throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR' });
  return [...(await missingFolders(dirname(folder))), folder];
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    // Another start created it at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false; // A path that cannot be read is reported by the access that needs it.
  }
}

/** Describes why the folder cannot be used. */
export function folderError(dataDir: string, error: unknown): StartError {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  const other = 'set DATA_DIR to a folder that the service can write';
  const uid = process.geteuid?.() ?? 'unknown';
  const refuse = (problem: string, remedy: string, exitCode: 1 | 78 = EXIT_CONFIG) =>
    new StartError(`DATA_DIR (${dataDir}) ${problem} (${code})`, remedy, exitCode);
  if (isDiskFull(error))
    return refuse('cannot be created because its disk is full', 'free space on that disk', EXIT_RETRY);
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return refuse(
        `cannot be written by the user of the service, uid ${uid}`,
        `give the folder to that user, or ${other}`,
      );
    case 'EROFS':
      return refuse('is on a read-only file system', other);
    case 'ENOTDIR':
      return refuse('is a file or lies below one', other);
    case 'ENOENT':
      return refuse('is on a file system that allows no new folders', other);
    default:
      return refuse('cannot be used', other);
  }
}

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes the descriptors that this process inherited besides its standard streams, such as a file or pipe that the shell of
 * the operator had open. Children would inherit them too, and so would MCP servers. Node marks inherited descriptors to be
 * closed in children, but stops at the first gap above 15. What Node and libraries open themselves has the mark.
 */
export function closeInheritedDescriptors(): void {
  for (const descriptor of openDescriptors())
    if (descriptor > 2 && isInheritable(descriptor)) close(descriptor);
}

function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    // Without /proc (outside Linux) they cannot be listed.
    return [];
  }
}

function isInheritable(descriptor: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? [];
    return flags !== '' && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // It was the descriptor of the listing itself.
    return false;
  }
}

function close(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // An error of the last write to it concerns who opened it.
  }
}

/** Between clocks that are kept in step. `npm run doctor` reports a smaller difference as well. */
const TOLERATED_MS = 60_000;

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/**
 * Compares the clock of this host with that of the database and returns one sentence when they differ by more than a
 * minute. Leases follow the clock of the database, the expiry of keys and sessions that of this host.
 */
export async function clockWarning(database: DataSource): Promise<string | null> {
  return warningOf(await clockAheadMs(database));
}

/** @param ahead how many milliseconds the clock of this host is ahead of that of the database */
export function warningOf(ahead: number): string | null {
  if (Math.abs(ahead) <= TOLERATED_MS) return null;
  return `The clock of this host is ${lengthOf(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the clock of the database, so keys and sessions end at the wrong time. Synchronise the clocks of both hosts, for instance with chrony.`;
}

function lengthOf(ms: number): string {
  const [unit, size] = UNITS.find(([, length]) => ms >= length)!;
  const count = Math.round(ms / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
