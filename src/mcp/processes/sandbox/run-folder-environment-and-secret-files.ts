import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HOSTS, proxyVariables, RESOLV_CONF } from '../network/permitted-hosts-and-ports.js';
import type { StdioServer } from '../server-description-and-limits.js';
import { readProcess } from '../supervision/process-table-and-folder-bytes.js';
import { childPath } from './host-programs.js';
import { writeFilter } from './system-call-filter.js';

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

/** The private folder of one start of a server: temporary files, secret files, and the environment that names them. */
export interface RunFolder {
  path: string;
  tmp: string;
  home: string;
  /** The file with the filter of system calls; null where this host has none. */
  filter: string | null;
  /** The complete environment of the child: PATH, HOME, TMPDIR, LANG, the declared variables, the secret files. */
  env: Record<string, string>;
}

/** Makes the folder of one start with mode 0700 and writes the secret files into it with mode 0600. */
export async function makeRunFolder(server: StdioServer, serviceDataDir: string): Promise<RunFolder> {
  const { path } = newRunFolderName(serviceDataDir);
  const [tmp, home, secrets] = [tmpdirOf(path), join(server.dataDir, 'home'), join(path, 'secrets')];
  for (const folder of [server.dataDir, home, tmp, secrets])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  const secretPaths: Record<string, string> = {};
  for (const { variable, content } of server.secretFiles) {
    secretPaths[variable] = join(secrets, variable);
    await writeFile(secretPaths[variable], content, { mode: 0o600 });
  }
  if (server.network) {
    await writeFile(join(path, 'resolv.conf'), RESOLV_CONF);
    await writeFile(join(path, 'hosts'), HOSTS);
  }
  const env = {
    ...proxyVariables(server.network),
    ...server.env,
    ...secretPaths,
    PATH: childPath(server.command).join(':'),
    HOME: home,
    TMPDIR: tmp,
    LANG: 'C.UTF-8',
  };
  return { path, tmp, home, env, filter: await writeFilter(path) };
}

/** Removes the folder with all secret files. A missing folder is not an error. */
export async function removeRunFolder(folder: RunFolder): Promise<void> {
  await rm(folder.path, { recursive: true, force: true, maxRetries: 3 });
}
