import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { readProcess } from './process-table.js';

/**
 * How a process tells whose it is: each start has a folder of its own, named after the service process that
 * made it, and its TMPDIR lies in there. Children inherit TMPDIR, so that even a daemon that left its group
 * and its session can be found again, and no variable is added to what the server sees.
 */
export interface SpawnMarker {
  owner: ProcessName;
  folder: string;
}

/** Pid and start time: pids alone are reused. */
export interface ProcessName {
  pid: number;
  startTicks: number;
}

/** Where the folders of all starts lie, under the service's data folder. */
export function runRootOf(serviceDataDir: string): string {
  return join(resolve(serviceDataDir), 'mcp-run');
}

/** A new marker for a child of this very process. */
export function newMarker(serviceDataDir: string): SpawnMarker {
  const owner = ownName();
  const folder = `${owner.pid}-${owner.startTicks}-${randomBytes(4).toString('hex')}`;
  return { owner, folder: join(runRootOf(serviceDataDir), folder) };
}

/** The marker whose folder has this name, or null for anything else. */
export function parseMarker(runRoot: string, name: string): SpawnMarker | null {
  const match = /^(\d+)-(\d+)-[0-9a-f]{8}$/.exec(name);
  if (!match) return null;
  return { owner: { pid: Number(match[1]), startTicks: Number(match[2]) }, folder: join(runRoot, name) };
}

/** What a marked process has in its environment. */
export function tmpdirOf(folder: string): string {
  return join(folder, 'tmp');
}

export function isAlive(name: ProcessName): boolean {
  const row = readProcess(name.pid);
  return row !== null && !row.zombie && row.startTicks === name.startTicks;
}

function ownName(): ProcessName {
  return { pid: process.pid, startTicks: readProcess(process.pid)?.startTicks ?? 0 };
}
