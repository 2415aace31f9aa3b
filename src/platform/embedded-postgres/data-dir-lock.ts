import { randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startOf } from './process-identity.js';

/**
 * The lock that keeps a data folder to one service at a time.
 *
 * The lock is the file `service.lock.<n>` with the highest n. It belongs to the process that it names while that
 * process runs. A starter that finds no living owner creates number n+1 with link(2), which only one process can win.
 * A number is never used twice and the highest file is never removed: otherwise a starter that read the old file and
 * then slept could take the name a second time. A slow starter may still create a number below the highest, after the
 * predecessors of that one were removed; therefore the check after the link.
 *
 * The lock works on one host and in one PID namespace: do not share a data folder between containers.
 */
export interface DataDirLock {
  release(): Promise<void>;
}

interface Owner {
  pid: number;
  start: string;
}

const lockFile = /^service\.lock\.(\d+)$/;

/** @throws {Error} that names folder and pid when another service, or this one, holds the folder */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const folder = resolve(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const owner: Owner = { pid: process.pid, start: (await startOf(process.pid)) ?? '' };
  for (;;) {
    const newest = await newestNumber(folder);
    await refuseWhenHeld(folder, newest);
    const mine = newest + 1;
    if (!(await claim(folder, mine, owner)) || (await newestNumber(folder)) !== mine) continue;
    await sweepBelow(folder, mine);
    return { release: () => write(folder, mine, null) };
  }
}

async function refuseWhenHeld(folder: string, number: number): Promise<void> {
  const owner = await readOwner(folder, number);
  if (!owner || (await startOf(owner.pid)) !== owner.start) return;
  throw new Error(
    `The data folder ${folder} is in use by process ${owner.pid}. Stop that process first, or give this one a folder of its own with DATA_DIR.`,
  );
}

/** Returns true when the file is ours: link(2) creates it whole, or not at all when it exists. */
async function claim(folder: string, number: number, owner: Owner): Promise<boolean> {
  const draft = await writeDraft(folder, owner);
  try {
    await link(draft, fileOf(folder, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function write(folder: string, number: number, owner: Owner | null): Promise<void> {
  await rename(await writeDraft(folder, owner), fileOf(folder, number));
}

async function writeDraft(folder: string, owner: Owner | null): Promise<string> {
  const draft = join(folder, `service.lock.draft-${randomBytes(6).toString('hex')}`);
  await writeFile(draft, JSON.stringify(owner), { mode: 0o600, flag: 'wx' });
  return draft;
}

/** Returns null for a lock that was released or removed, and for a file that a power failure left empty. */
async function readOwner(folder: string, number: number): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(fileOf(folder, number), 'utf8')) as Owner | null;
  } catch {
    // Such a lock has no owner. In a folder without access, writing the next lock fails with the cause.
    return null;
  }
}

async function newestNumber(folder: string): Promise<number> {
  return Math.max(0, ...(await numbers(folder)));
}

async function sweepBelow(folder: string, number: number): Promise<void> {
  const old = (await numbers(folder)).filter((other) => other < number);
  await Promise.all(old.map((other) => rm(fileOf(folder, other), { force: true })));
}

async function numbers(folder: string): Promise<number[]> {
  return (await readdir(folder)).flatMap((name) => lockFile.exec(name)?.[1] ?? []).map(Number);
}

function fileOf(folder: string, number: number): string {
  return join(folder, `service.lock.${number}`);
}
