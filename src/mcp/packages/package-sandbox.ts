import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { childPath } from '../processes/sandbox/host-programs.js';
import { launchCommand, type SandboxLevel } from '../processes/sandbox/launch-command.js';
import { hiddenPaths } from '../processes/sandbox/mount-plan.js';
import {
  newRunFolderName,
  type RunFolder,
} from '../processes/sandbox/run-folder-environment-and-secret-files.js';
import { writeFilter } from '../processes/sandbox/system-call-filter.js';
import type { HostEnvironment } from '../runtime/runtime.service.js';
import { removeTree } from './package-unavailable-and-folders.js';

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'];

/** How the network of this host is reached. */
const NETWORK = new Set([
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  ...PROXIES,
  ...PROXIES.map((name) => name.toLowerCase()),
]);

/** The settings of npm that name a registry and the way to it; none of them is a credential. */
const NPM =
  /^npm_config_(@[^:]+:)?(registry|cafile|proxy|https[-_]proxy|noproxy|strict[-_]ssl|fetch[-_]retries)$/i;

/** The same settings of pip. */
const PIP =
  /^PIP_(INDEX_URL|EXTRA_INDEX_URL|NO_INDEX|FIND_LINKS|TRUSTED_HOST|CERT|PROXY|RETRIES|TIMEOUT|DEFAULT_TIMEOUT)$/;

/**
 * Returns the part of the service's environment by which a package manager reaches its registry: proxies, certificates
 * and the address. Nothing else of it is passed on, since any variable may be a secret.
 */
export function registrySettings(host: HostEnvironment, manager: 'npm' | 'pip'): Record<string, string> {
  const own = manager === 'npm' ? NPM : PIP;
  return Object.fromEntries(
    Object.entries(host.variables).filter(
      (pair): pair is [string, string] =>
        pair[1] !== undefined && (NETWORK.has(pair[0]) || own.test(pair[0])),
    ),
  );
}

/** Returns the paths of this host among settings: certificates, and folders of archives. */
export function pathsAmong(settings: Readonly<Record<string, string>>): string[] {
  return Object.values(settings)
    .flatMap((value) => value.split(/\s+/))
    .map((value) => value.replace(/^file:\/\//, ''))
    .flatMap((value) => (value.includes('://') ? [] : value.split(':')))
    .filter(isAbsolute);
}

/**
 * Returns an environment made from nothing: a PATH of system folders, a home of its own, and configuration files that
 * do not exist, so that no `.npmrc` or `pip.conf` of the operator is read.
 */
export function privateEnvironment(command: string, home: string, cache: string): Record<string, string> {
  return {
    PATH: childPath(command).join(':'),
    HOME: home,
    TMPDIR: home,
    LANG: 'C.UTF-8',
    npm_config_cache: cache,
    npm_config_userconfig: join(home, 'user.npmrc'),
    npm_config_globalconfig: join(home, 'global.npmrc'),
    PIP_CONFIG_FILE: '/dev/null',
    PIP_CACHE_DIR: cache,
  };
}

/** The exit code of a package manager's run and the end of its output. */
interface PackageManagerRun {
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

/** A run of a package manager or of an install script. */
export interface SandboxedRun {
  /** An absolute path. */
  command: string;
  args: string[];
  /** The package's folder: the working directory, and the only one of the host that is written besides the cache. */
  folder: string;
  /** What the environment has besides the private one; the paths in it become readable. */
  settings: Record<string, string>;
  /** Further paths that become readable. */
  readable?: string[];
  /** Whether code of the package itself runs: it then has no access to the cache of downloads. */
  foreignCode?: boolean;
  signal: AbortSignal;
}

export interface PackageSandboxOptions {
  /** The service's data folder, which is hidden but for the package's folder. */
  dataFolder: string;
  /** Further hidden paths, such as the key ring. */
  hidden?: readonly string[];
  /** Downloads are kept here for later runs. */
  cache: string;
  level: () => Promise<SandboxLevel>;
}

/**
 * Runs package managers in the sandbox of MCP servers (docs/sandbox.md): they see the system's programs, their own
 * runtime and the package's folder, and no key ring, data folder or home. The network stays, for the registry.
 */
export class PackageSandbox {
  constructor(private readonly options: PackageSandboxOptions) {}

  /** @throws the reason of the signal when that fires first */
  async run(run: SandboxedRun): Promise<PackageManagerRun> {
    const home = join(workFolder(run.folder), 'home');
    const cache = run.foreignCode ? home : this.options.cache;
    await mkdir(home, { recursive: true, mode: 0o700 });
    await mkdir(cache, { recursive: true, mode: 0o700 });
    const env = { ...run.settings, ...privateEnvironment(run.command, home, cache) };
    // What the service writes for the start lies where nothing of a package has been.
    const { path } = newRunFolderName(this.options.dataFolder);
    await mkdir(path, { recursive: true, mode: 0o700 });
    try {
      const runFolder = { path: cache, tmp: home, home, env, filter: await writeFilter(path) };
      const { command, args } = await this.commandOf(run, runFolder);
      return await runPackageManager(command, args, { cwd: run.folder, env, signal: run.signal });
    } finally {
      await removeTree(path);
    }
  }

  private async commandOf(
    { command, args, folder, settings, readable = [] }: SandboxedRun,
    runFolder: RunFolder,
  ): Promise<{ command: string; args: string[] }> {
    const { dataFolder, hidden = [], level } = this.options;
    const program = {
      transport: 'stdio' as const,
      ...{
        command,
        args,
        env: runFolder.env,
        cwd: folder,
        secretFiles: [],
        installDir: null,
        dataDir: folder,
      },
      readOnlyPaths: [...readable, ...pathsAmong(settings)],
      writablePaths: [],
    };
    return launchCommand(await level(), program, runFolder, hiddenPaths(dataFolder, hidden));
  }
}

/** Returns the folder for temporary files of the package managers in the folder of a package. */
export function workFolder(folder: string): string {
  return join(folder, '.work');
}

export async function removeWorkFolder(folder: string): Promise<void> {
  await removeTree(workFolder(folder));
}
