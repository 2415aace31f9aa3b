import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { readProcess } from './process-table.js';

/**
 * The folder of one start of a server, whose name holds the service process that made it. TMPDIR lies in this folder
 * and children inherit TMPDIR. So even a daemon that left its group and its session can be traced to its service, and
 * the server sees no additional variable.
 */
export interface RunFolderName {
  owner: ProcessIdentity;
  path: string;
}

/** Identifies a process by pid and start time, because pids are reused. */
export interface ProcessIdentity {
  pid: number;
  startTicks: number;
}

/** The parent of the folders of all starts, under the service's data folder. */
export function runRootOf(serviceDataDir: string): string {
  return join(resolve(serviceDataDir), 'mcp-run');
}

/** Returns a new, random name for a start by this process. */
export function newRunFolderName(serviceDataDir: string): RunFolderName {
  const owner = ownIdentity();
  const name = `${owner.pid}-${owner.startTicks}-${randomBytes(4).toString('hex')}`;
  return { owner, path: join(runRootOf(serviceDataDir), name) };
}

/** Parses the name of a folder in `runRoot`. Returns null for a folder that is not of a start. */
export function parseRunFolderName(runRoot: string, name: string): RunFolderName | null {
  const match = /^(\d+)-(\d+)-[0-9a-f]{8}$/.exec(name);
  if (!match) return null;
  return { owner: { pid: Number(match[1]), startTicks: Number(match[2]) }, path: join(runRoot, name) };
}

/** The TMPDIR of the processes of one start. */
export function tmpdirOf(runFolder: string): string {
  return join(runFolder, 'tmp');
}

export function isAlive(name: ProcessIdentity): boolean {
  const row = readProcess(name.pid);
  return row !== null && !row.zombie && row.startTicks === name.startTicks;
}

function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTicks: readProcess(process.pid)?.startTicks ?? 0 };
}
