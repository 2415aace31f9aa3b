import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { findProgram } from '../sandbox/host-programs.js';
import { newRunFolderName, runRootOf } from './run-folder-name.js';

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
