import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { FoundRuntime, MissingRuntime } from './runtime-report.js';

/** Where to look and what the probes may see of the service's environment: nothing but these. */
export interface ProbeEnvironment {
  /** The service's own PATH. */
  path: string;
  home: string;
}

/** The programs that may stand for a runtime, the best first, and the least major version that counts. */
export interface Wanted {
  programs: readonly string[];
  leastMajor: number;
}

const limitMs = 3_000;
const versionForm = /(\d+)\.\d+[\w.+-]*/;

/**
 * Finds a runtime by running the candidates with `--version`, in the order of `programs`, then of the PATH, until
 * one answers. All of it ends within 3 s (spec §3.2): what hangs is killed with all that it started.
 */
export async function findRuntime(
  wanted: Wanted,
  environment: ProbeEnvironment,
): Promise<FoundRuntime | MissingRuntime> {
  const signal = AbortSignal.timeout(limitMs);
  for (const path of await candidates(wanted.programs, environment.path)) {
    const version = versionForm.exec(await answerOf(path, environment, signal));
    if (version && Number(version[1]) >= wanted.leastMajor)
      return { detected: true, version: version[0], path };
    if (signal.aborted) break;
  }
  return { detected: false };
}

/** An absolute program stands for itself; a name is looked up in every folder of the PATH. */
async function candidates(programs: readonly string[], path: string): Promise<string[]> {
  const folders = path.split(':').filter(isAbsolute);
  const paths = programs.flatMap((program) =>
    isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program)),
  );
  const runnable = await Promise.all(paths.map(isRunnable));
  return [...new Set(paths.filter((_, index) => runnable[index]))];
}

async function isRunnable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** What `--version` prints; nothing where it fails or is too slow. */
function answerOf(path: string, environment: ProbeEnvironment, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(path, ['--version'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: environment.path, HOME: environment.home, LANG: 'C.UTF-8' },
    });
    let printed = '';
    let succeeded = false;
    const finish = () => {
      signal.removeEventListener('abort', giveUp);
      child.stdout.destroy();
      resolve(succeeded ? printed : '');
    };
    const giveUp = () => {
      killGroup(child.pid);
      finish();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed = (printed + chunk).slice(0, 1_000);
    });
    child.on('error', finish);
    child.on('exit', (code) => {
      succeeded = code === 0;
    });
    // Not at 'exit': the answer may still be in the pipe. What keeps the pipe open is killed at the limit.
    child.on('close', finish);
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
