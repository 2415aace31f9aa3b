import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { Injectable } from '@nestjs/common';

/**
 * The environment with which the service was started, for finding runtimes and running package managers. It is passed
 * in where the settings are read. Code that starts a program picks variables by name, since others may hold secrets.
 */
export class HostEnvironment {
  constructor(readonly variables: Readonly<Record<string, string | undefined>>) {}

  /** The PATH of the service. */
  get path(): string {
    return this.variables.PATH ?? '';
  }

  get home(): string {
    return this.variables.HOME ?? '/';
  }
}

/** The runtimes of this host (contract §3.2). A runtime that the host lacks is `{ detected: false }` alone. */
export interface RuntimeReport {
  node: FoundRuntime | MissingRuntime;
  python: FoundRuntime | MissingRuntime;
  pipx: FoundRuntime | MissingRuntime;
}

export interface FoundRuntime {
  detected: true;
  /** The version without a leading v. */
  version: string;
  /** An absolute path. */
  path: string;
}

export interface MissingRuntime {
  detected: false;
}

/** The only variables of the service's environment that a probe uses and sees. */
export interface ProbeEnvironment {
  /** The PATH of the service. */
  path: string;
  home: string;
}

/** The programs that may provide a runtime, best first, and the least major version accepted. */
export interface RuntimeCandidates {
  programs: readonly string[];
  leastMajor: number;
}

/** Node is the one that runs the service, since it also starts the servers; python3 comes before python. */
export const CANDIDATES: Record<keyof RuntimeReport, RuntimeCandidates> = {
  node: { programs: [process.execPath], leastMajor: 0 },
  python: { programs: ['python3', 'python'], leastMajor: 3 },
  pipx: { programs: ['pipx'], leastMajor: 0 },
};

const LIMIT_MS = 3_000;
const VERSION = /(\d+)\.\d+[\w.+-]*/;

/**
 * Finds a runtime by running the candidates with `--version` in the order of `programs`, then of the PATH, until one
 * reports a version. It takes at most 3 s in all (contract §3.2): a program that hangs is killed with its descendants.
 */
export async function findRuntime(
  sought: RuntimeCandidates,
  environment: ProbeEnvironment,
): Promise<FoundRuntime | MissingRuntime> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  for (const path of await candidates(sought.programs, environment.path)) {
    const version = VERSION.exec(await versionOutput(path, environment, signal));
    if (version && Number(version[1]) >= sought.leastMajor)
      return { detected: true, version: version[0], path };
    if (signal.aborted) break;
  }
  return { detected: false };
}

/** Returns an absolute program as it is, and looks up a name in every folder of the PATH. */
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
    // A program that is missing or not executable cannot be used, for whatever reason.
    () => false,
  );
}

/** Returns what `--version` prints, or '' if the program fails or is too slow. */
function versionOutput(path: string, environment: ProbeEnvironment, signal: AbortSignal): Promise<string> {
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
    if (signal.aborted) giveUp();
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed = (printed + chunk).slice(0, 1_000);
    });
    child.on('error', finish);
    child.on('exit', (code) => {
      succeeded = code === 0;
    });
    // Not at 'exit', when output may still be in the pipe. A process that keeps the pipe open is killed at the limit.
    child.on('close', finish);
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

const MAX_AGE_MS = 30_000;

/** Reports the runtimes of this host that servers can use (contract §3.2). */
@Injectable()
export class RuntimeService {
  /** Reports the runtimes of the host that runs the servers, where that is another one; null when it does not respond. */
  elsewhere: ((refresh: boolean) => Promise<RuntimeReport | null>) | null = null;
  private last: { report: RuntimeReport; until: number } | null = null;
  private running: Promise<RuntimeReport> | null = null;

  constructor(private readonly environment: HostEnvironment) {}

  /** Returns a report at most 30 s old, or a new one with `refresh`. Concurrent callers share one probe of the host. */
  async report(refresh = false): Promise<RuntimeReport> {
    const theirs = await this.elsewhere?.(refresh);
    if (theirs) return theirs;
    if (!refresh && this.last && performance.now() < this.last.until) return this.last.report;
    this.running ??= this.probe().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async probe(): Promise<RuntimeReport> {
    const [node, python, pipx] = await Promise.all([
      findRuntime(CANDIDATES.node, this.environment),
      findRuntime(CANDIDATES.python, this.environment),
      findRuntime(CANDIDATES.pipx, this.environment),
    ]);
    const report = { node, python, pipx };
    this.last = { report, until: performance.now() + MAX_AGE_MS };
    return report;
  }
}
