import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launchCommand, type SandboxLevel } from '../processes/sandbox/launch-command.js';
import { hiddenPaths } from '../processes/sandbox/mount-plan.js';
import { newRunFolderName, type RunFolder } from '../processes/sandbox/run-folder.js';
import { writeFilter } from '../processes/sandbox/system-call-filter.js';
import { removeTree } from './package-request.js';
import {
  type PackageManagerRun,
  pathsAmong,
  privateEnvironment,
  runPackageManager,
} from './run-package-manager.js';

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
