import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { findTool } from './host-tools.js';
import { newMarker, runRootOf } from './spawn-marker.js';

/**
 * The watcher of the weakest level: a shell that waits at a pipe from the service. When the pipe closes, the
 * service is gone, however it went, and the watcher ends every process that carries this service's mark. Where
 * somebody ends the watcher itself, a new one is started.
 */
export class OrphanWatcher {
  private process: ChildProcess | null = null;
  private stopped = false;

  constructor(private readonly serviceDataDir: string) {}

  start(): void {
    const [shell, marker] = [findTool('sh'), newMarker(this.serviceDataDir)];
    if (shell === null || this.stopped) return;
    const { pid, startTicks } = marker.owner;
    const mark = `TMPDIR=${join(runRootOf(this.serviceDataDir), `${pid}-${startTicks}-`)}`;
    const watcher = spawn(shell, ['-c', SCRIPT, 'mcp-orphan-watcher', mark], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    watcher.on('error', () => undefined);
    watcher.stdin?.on('error', () => undefined);
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

  /** An orderly end: nobody is left to be ended. */
  stop(): void {
    this.stopped = true;
    this.process?.kill('SIGKILL');
  }
}

const RESTART_MS = 1_000;

/** Several rounds: who is being ended may fork meanwhile. */
const SCRIPT = `trap '' HUP INT QUIT TERM PIPE
cat >/dev/null
for round in 1 2 3 4 5 6 7 8 9 10; do
  found=$(grep -lsF -e "$1" /proc/[0-9]*/environ)
  [ -n "$found" ] || break
  for file in $found; do process=\${file#/proc/}; kill -KILL "\${process%/environ}"; done
done`;
