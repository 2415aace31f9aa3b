import { readdirSync, readFileSync } from 'node:fs';
import { lstat, opendir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reading one process takes about 10 µs, so a slice blocks the event loop for about 1 ms. */
const SLICE = 100;

/**
 * One row of the kernel's process table. Only pid and start time together identify a process, because pids are reused.
 */
export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Clock ticks between the boot of the machine and the start of the process. */
  startTicks: number;
  residentBytes: number;
  /** The process has ended and its parent has not reaped it yet. */
  zombie: boolean;
}

/** Returns every visible process of this host; empty where there is no /proc. */
export async function readProcessTable(): Promise<ProcessRow[]> {
  const rows: ProcessRow[] = [];
  for (const [at, pid] of pids().entries()) {
    if (at % SLICE === SLICE - 1) await yieldToEventLoop();
    const row = readProcess(pid);
    if (row) rows.push(row);
  }
  return rows;
}

/** Returns the process with this pid, or null if there is none. */
export function readProcess(pid: number): ProcessRow | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // The process has ended.
    return null;
  }
}

/** Parses a line of /proc/PID/stat (proc(5)), whose name in brackets may itself hold brackets and spaces. */
export function parseStat(line: string): ProcessRow {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    pid: Number.parseInt(line, 10),
    parent: field(4),
    group: field(5),
    session: field(6),
    startTicks: field(22),
    residentBytes: field(24) * pageBytes(),
    zombie: fields[0] === 'Z' || fields[0] === 'X',
  };
}

/** Returns the descendants of `root` in `table`, without `root` itself, nearest first. */
export function descendantsOf(root: number, table: readonly ProcessRow[]): ProcessRow[] {
  const descendants: ProcessRow[] = [];
  for (let parents = new Set([root]); parents.size > 0;) {
    const children = table.filter((row) => parents.has(row.parent));
    descendants.push(...children);
    parents = new Set(children.map((row) => row.pid));
  }
  return descendants;
}

/** Returns the environment that a process was started with, as `NAME=value` strings; empty where it can't be read. */
export function readEnvironment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // The process has ended, or belongs to another user.
    return [];
  }
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    // A host without /proc has no process table to search.
    return [];
  }
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * 4 KiB nearly everywhere, 16 or 64 KiB on some arm64 hosts. Node's own resident bytes divided by its resident pages.
 */
function pageBytes(): number {
  knownPageBytes ??= 2 ** Math.round(Math.log2(process.memoryUsage.rss() / ownResidentPages()));
  return knownPageBytes;
}

function ownResidentPages(): number {
  return Number(readFileSync('/proc/self/statm', 'latin1').split(' ')[1]);
}

let knownPageBytes: number | undefined;

/** Returns the resident memory of processes together. Pages that they share are counted once per process. */
export function residentBytesOf(rows: readonly ProcessRow[]): number {
  return rows.reduce((sum, { residentBytes }) => sum + residentBytes, 0);
}

/**
 * Returns the memory of processes together, in which a page that n processes share counts 1/n for each (PSS). A browser of
 * 13 processes shares half of its resident pages. The kernel walks the page tables for it, which takes milliseconds per
 * process, so it is read only where the resident memory says that it matters.
 */
export async function proportionalBytesOf(rows: readonly ProcessRow[]): Promise<number> {
  const each = await Promise.all(rows.map(proportionalBytes));
  return each.reduce((sum, bytes) => sum + bytes, 0);
}

async function proportionalBytes({ pid, residentBytes }: ProcessRow): Promise<number> {
  try {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1');
    const [, kibibytes] = /^Pss:\s+(\d+) kB$/m.exec(rollup) ?? [];
    return kibibytes === undefined ? residentBytes : Number(kibibytes) * 1024;
  } catch {
    // The process has ended, or the kernel (before 4.14) has no such file: its resident pages are an upper bound.
    return residentBytes;
  }
}

/** An entry counts as one block at least: files without content use up a file system too. */
const LEAST_BYTES = 4_096;
const BLOCK_BYTES = 512;

/**
 * Returns the bytes that the files of some folders occupy, links not followed. Counting stops beyond `most`, so that a
 * server with endless files costs no endless walk. A folder that cannot be read counts as endless.
 */
export async function bytesIn(folders: readonly string[], most: number): Promise<number> {
  let sum = 0;
  const left = [...folders];
  for (let folder = left.pop(); folder !== undefined && sum <= most; folder = left.pop()) {
    for (const { path, isFolder, bytes } of await entriesOf(folder, most - sum)) {
      sum += bytes;
      if (isFolder) left.push(path);
    }
  }
  return sum;
}

interface Entry {
  path: string;
  isFolder: boolean;
  bytes: number;
}

async function entriesOf(folder: string, most: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  let sum = 0;
  try {
    for await (const { name } of await opendir(folder)) {
      const entry = await entryAt(join(folder, name));
      if (entry) entries.push(entry);
      sum += entry?.bytes ?? 0;
      if (sum > most) break;
    }
  } catch (error) {
    if (!isGone(error)) entries.push(UNCOUNTABLE);
  }
  return entries;
}

async function entryAt(path: string): Promise<Entry | null> {
  try {
    const stats = await lstat(path);
    return {
      path,
      isFolder: stats.isDirectory(),
      bytes: Math.max(stats.blocks * BLOCK_BYTES, LEAST_BYTES),
    };
  } catch (error) {
    return isGone(error) ? null : UNCOUNTABLE;
  }
}

/**
 * A server can take the right to read its folders away from the service, or nest them deeper than a path can be long.
 * What cannot be counted is too much, or a server would have a whole disk in such a folder.
 */
const UNCOUNTABLE: Entry = { path: '', isFolder: false, bytes: Infinity };

/** The server changes its files meanwhile: what has gone is not counted, and the rest is. */
function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}
