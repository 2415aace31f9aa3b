import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { findProgram } from '../sandbox/host-programs.js';
import {
  isAlive,
  newRunFolderName,
  parseRunFolderName,
  runRootOf,
} from '../sandbox/run-folder-environment-and-secret-files.js';
import {
  type ProcessRow,
  readEnvironment,
  readProcess,
  readProcessTable,
} from './process-table-and-folder-bytes.js';

const RESTART_MS = 1_000;

/** Runs several rounds, because a process that is being killed may fork meanwhile. */
const SCRIPT = `trap '' HUP INT QUIT TERM PIPE
cat >/dev/null
for round in 1 2 3 4 5 6 7 8 9 10; do
  found=$(grep -lsF -e "$1" /proc/[0-9]*/environ)
  [ -n "$found" ] || break
  for file in $found; do process=\${file#/proc/}; kill -KILL "\${process%/environ}"; done
done`;

/**
 * Ends the servers of a service that dies, at the weakest sandbox level. It is a shell that waits at a pipe from the
 * service. The pipe closes when the service is gone, for whatever reason; then the shell kills every process whose
 * TMPDIR names this service. When the watcher itself is killed, a new one is started.
 */
export class OrphanWatcher {
  private process: ChildProcess | null = null;
  private stopped = false;

  constructor(private readonly serviceDataDir: string) {}

  start(): void {
    const [shell, marker] = [findProgram('sh'), newRunFolderName(this.serviceDataDir)];
    if (shell === null || this.stopped) return;
    const { pid, startTicks } = marker.owner;
    const mark = `TMPDIR=${join(runRootOf(this.serviceDataDir), `${pid}-${startTicks}-`)}`;
    const watcher = spawn(shell, ['-c', SCRIPT, 'mcp-orphan-watcher', mark], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    watcher.on('error', () => undefined); // A failed spawn emits no 'exit'; the sweep at the next start covers it.
    watcher.stdin?.on('error', () => undefined); // Nothing is ever written to the pipe.
    watcher.once('exit', () => {
      if (!this.stopped) setTimeout(() => this.start(), RESTART_MS).unref();
    });
    watcher.unref();
    if (watcher.stdin instanceof Socket) watcher.stdin.unref();
    this.process = watcher;
  }

  get pid(): number | null {
    return this.process?.pid ?? null;
  }

  /** Ends the watcher after an orderly shutdown, when no server is left. */
  stop(): void {
    this.stopped = true;
    this.process?.kill('SIGKILL');
  }
}

/**
 * Kills the server processes that an earlier run of the service left behind, and removes their folders with the secret
 * files. It runs once at start. A process is an orphan when its TMPDIR lies under this data folder and the service
 * process that the folder's name holds is dead, so a second service on the same data folder loses nothing. Returns how
 * many processes were killed.
 */
export async function sweepOrphans(dataDir: string): Promise<number> {
  const runRoot = runRootOf(dataDir);
  const orphans = (await readProcessTable()).filter((row) => isOrphan(row, runRoot));
  for (const { pid, startTicks } of orphans) {
    if (readProcess(pid)?.startTicks === startTicks) kill(pid);
  }
  await removeDeadFolders(runRoot);
  return orphans.length;
}

/** Returns how many processes of an earlier run are alive; a sweep would kill them. */
export async function countOrphans(dataDir: string): Promise<number> {
  const runRoot = runRootOf(dataDir);
  return (await readProcessTable()).filter((row) => isOrphan(row, runRoot)).length;
}

function isOrphan(row: ProcessRow, runRoot: string): boolean {
  const tmpdir = readEnvironment(row.pid).find((entry) => entry.startsWith(`TMPDIR=${runRoot}/`));
  if (tmpdir === undefined || row.zombie || row.pid === process.pid) return false;
  const marker = parseRunFolderName(runRoot, basename(dirname(tmpdir.slice('TMPDIR='.length))));
  return marker !== null && !isAlive(marker.owner);
}

async function removeDeadFolders(runRoot: string): Promise<void> {
  // The folder is missing before the first start of a server. Any other error fails that start too, which reports it.
  const names = await readdir(runRoot).catch(() => []);
  const dead = names.filter((name) => {
    const marker = parseRunFolderName(runRoot, name);
    return marker !== null && !isAlive(marker.owner);
  });
  await Promise.all(
    dead.map((name) => rm(join(runRoot, name), { recursive: true, force: true, maxRetries: 3 })),
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended in the meantime, which is the purpose of the signal.
  }
}
