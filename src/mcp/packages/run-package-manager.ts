import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

/** The exit code of a package manager's run and the end of its output. */
export interface PackageManagerRun {
  code: number | null;
  /** The last 16 Ki characters of stdout and stderr together. */
  output: string;
}

const KEPT_CHARACTERS = 16 * 1024;

/**
 * Runs a program with exactly this environment in its own process group. When the signal fires, it kills the whole
 * group and rejects with the signal's reason.
 */
export async function runPackageManager(
  command: string,
  args: string[],
  options: { cwd: string; env: Record<string, string>; signal: AbortSignal },
): Promise<PackageManagerRun> {
  options.signal.throwIfAborted();
  return await new Promise<PackageManagerRun>((resolve, reject) => {
    const { cwd, env, signal } = options;
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const stop = () => killGroup(child.pid);
    signal.addEventListener('abort', stop, { once: true });
    for (const stream of [child.stdout, child.stderr]) {
      const decoder = new StringDecoder('utf8');
      stream.on('data', (chunk: Buffer) => {
        output = (output + decoder.write(chunk)).slice(-KEPT_CHARACTERS);
      });
    }
    const settle = (finish: () => void) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(signal.reason as Error);
      else finish();
    };
    child.on('error', (error) => settle(() => reject(error)));
    child.on('close', (code) => settle(() => resolve({ code, output })));
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already exited.
  }
}
