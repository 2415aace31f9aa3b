import { readdirSync, readFileSync } from 'node:fs';

/** One row of the kernel's process table. Pid and start time together name a process for good: pids are reused. */
export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** In clock ticks since the machine started. */
  startTicks: number;
  residentBytes: number;
  /** Has ended and waits for its parent to notice. */
  zombie: boolean;
}

/** Every process of this host that can be seen; empty where there is no /proc. */
export async function readProcessTable(): Promise<ProcessRow[]> {
  const rows: ProcessRow[] = [];
  for (const [at, pid] of pids().entries()) {
    if (at % SLICE === SLICE - 1) await breathe();
    const row = readProcess(pid);
    if (row) rows.push(row);
  }
  return rows;
}

/** The process with this pid, or null if there is none. */
export function readProcess(pid: number): ProcessRow | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return null;
  }
}

/** Parses a line of /proc/PID/stat (proc(5)); the name in brackets may itself hold brackets and spaces. */
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

/** The processes of `table` that come from `root`, itself left out, nearest first. */
export function descendantsOf(root: number, table: readonly ProcessRow[]): ProcessRow[] {
  const family: ProcessRow[] = [];
  for (let parents = new Set([root]); parents.size > 0;) {
    const children = table.filter((row) => parents.has(row.parent));
    family.push(...children);
    parents = new Set(children.map((row) => row.pid));
  }
  return family;
}

/** The environment that a process was started with, as `NAME=value` lines; empty where it can't be read. */
export function readEnvironment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A read of /proc takes about 10 µs: so many in a row hold nobody up. */
const SLICE = 100;

/** 4 KiB nearly everywhere, 16 or 64 on some arm64: told by what Node makes of its own pages. */
function pageBytes(): number {
  knownPageBytes ??= 2 ** Math.round(Math.log2(process.memoryUsage.rss() / ownResidentPages()));
  return knownPageBytes;
}

function ownResidentPages(): number {
  return Number(readFileSync('/proc/self/statm', 'latin1').split(' ')[1]);
}

let knownPageBytes: number | undefined;
