import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

/** A package manager's run: how it ended and the end of what it printed. */
export interface ToolRun {
  code: number | null;
  /** The last 16 KiB of stdout and stderr together. */
  output: string;
}

const keptCharacters = 16 * 1024;

/**
 * Runs a program with exactly this environment, in a process group of its own. When the signal fires, the whole
 * group is killed and the promise rejects with the signal's reason.
 */
export async function runTool(
  command: string,
  args: string[],
  options: { cwd: string; env: Record<string, string>; signal: AbortSignal },
): Promise<ToolRun> {
  options.signal.throwIfAborted();
  return await new Promise<ToolRun>((resolve, reject) => {
    const { cwd, env, signal } = options;
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const stop = () => killGroup(child.pid);
    signal.addEventListener('abort', stop, { once: true });
    for (const stream of [child.stdout, child.stderr]) {
      const decoder = new StringDecoder('utf8');
      stream.on('data', (chunk: Buffer) => {
        output = (output + decoder.write(chunk)).slice(-keptCharacters);
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
    // Already gone.
  }
}
