import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostEnvironment } from '../runtime/host-environment.js';
import { exists } from './folder-tree.js';
import { registrySettings } from './package-manager-environment.js';
import type { FetchContext, Fetcher, PackageRequest } from './package-request.js';
import { workFolder, type PackageSandbox } from './package-sandbox.js';
import { PackageUnavailable } from './packages.errors.js';
import { pipCause } from './pip-cause.js';
import { checkEnvironment, linkPrograms } from './python-environment.js';
import { hasHashes, lockOfArchives, lockOfClosure, readLock, refuseOtherPin } from './python-lock.js';

/** Absolute paths of the interpreter and of pipx from the runtime report; null if this host lacks the program. */
export interface PythonPrograms {
  python: string | null;
  pipx: string | null;
}

/** A lock, and the options by which pip finds its archives. */
interface Resolution {
  lock: string;
  source: string[];
}

const QUIET = ['--no-input', '--disable-pip-version-check', '--retries', '2', '--progress-bar', 'off'];
/** Forbids builds: a source archive runs its own code to build itself, as npm's install scripts do. */
const BINARY_ONLY = ['--only-binary', ':all:'];

/**
 * Fetches packages of PyPI into a virtual environment. Its lock is a requirements file with the hashes of every archive,
 * and pip installs exactly that (`--require-hashes --no-deps`). The lock comes from the entry's closure, from an earlier
 * fetch, or, where there is neither, from what the index offers now.
 *
 * The environment is `venv/`, or for the runtime pipx the layout of pipx: `pipx/venvs/<name>/`, with the programs in
 * `bin/`. pipx itself is not run, because it starts the interpreter of the new environment, and that executes the `.pth`
 * files of every package. pip writes absolute paths into its files, so they are created in their final place.
 */
export function pypiFetcher(
  host: HostEnvironment,
  sandbox: PackageSandbox,
  programs: () => Promise<PythonPrograms>,
): Fetcher {
  return async (request, context) => {
    const python = interpreterFor(request, await programs());
    const run = runner(host, sandbox, context, request.runInstallScripts);
    const environment = environmentOf(request, context.folder);
    const pip = async (args: string[]) => {
      if (!(await exists(environment))) {
        context.log(`creating a virtual environment for ${request.name}==${request.version}`);
        await run(python, ['-I', '-m', 'venv', environment]);
      }
      await run(join(environment, 'bin', 'python'), ['-I', '-m', 'pip', ...args, ...QUIET]);
    };
    const { lock, source } = await resolve(pip, request, context);
    refuseOtherPin(request, lock);

    const install = async (): Promise<string> => {
      context.log(`integrity matches the catalogue; installing ${readLock(lock).length} packages`);
      const requirements = join(workFolder(context.folder), 'requirements.txt');
      await mkdir(workFolder(context.folder), { recursive: true });
      await writeFile(requirements, lock);
      const build = request.runInstallScripts ? [] : BINARY_ONLY;
      const options = ['--require-hashes', '--no-deps', '--requirement', requirements];
      await pip(['install', ...options, ...build, ...source]);
      await checkEnvironment(environment, lock);
      if (request.runtime === 'pipx')
        await linkPrograms(environment, request.name, join(context.folder, 'bin'));
      return lock;
    };
    return { lock, install };
  };
}

type Run = (command: string, args: string[]) => Promise<void>;
type Pip = (args: string[]) => Promise<void>;

function runner(
  host: HostEnvironment,
  sandbox: PackageSandbox,
  { folder, signal }: FetchContext,
  foreignCode: boolean,
): Run {
  const settings = registrySettings(host, 'pip');
  return async (command, args) => {
    const { code, output } = await sandbox.run({
      command,
      args,
      folder,
      settings,
      foreignCode,
      signal,
    });
    if (code !== 0) throw new PackageUnavailable(pipCause(output));
  };
}

/** @throws {PackageUnavailable} when this host lacks Python, or pipx for an entry that names it */
function interpreterFor({ runtime }: PackageRequest, { python, pipx }: PythonPrograms): string {
  if (!python)
    throw new PackageUnavailable(
      'Python 3 was not found on this host. Install it with its venv module and try again.',
    );
  if (runtime === 'pipx' && !pipx)
    throw new PackageUnavailable('pipx was not found on this host. Install it and try again.');
  return python;
}

async function resolve(pip: Pip, request: PackageRequest, context: FetchContext): Promise<Resolution> {
  if (request.closure) return { lock: lockOfClosure(request, request.closure), source: [] };
  if (context.lock !== null && hasHashes(context.lock)) return { lock: context.lock, source: [] };
  return await resolveByIndex(pip, request, context);
}

/**
 * Downloads the package with its dependencies, which runs no code of theirs, and makes the lock from the archives. A
 * lock without hashes, which an earlier release stored, fixes the versions.
 */
async function resolveByIndex(
  pip: Pip,
  request: PackageRequest,
  { folder, lock, log }: FetchContext,
): Promise<Resolution> {
  log(`resolving ${request.name}==${request.version} and its dependencies`);
  const archives = join(workFolder(folder), 'archives');
  const constraints = join(workFolder(folder), 'constraints.txt');
  await mkdir(archives, { recursive: true });
  await writeFile(constraints, lock ?? '');
  const build = request.runInstallScripts ? [] : BINARY_ONLY;
  const options = ['--dest', archives, '--constraint', constraints, ...build];
  await pip(['download', `${request.name}==${request.version}`, ...options]);
  // A build fetches its own tools from the index, so only wheels are installed without it.
  const source = request.runInstallScripts ? [] : ['--no-index', '--find-links', archives];
  return { lock: await lockOfArchives(request, archives), source };
}

/** Returns the absolute path of the virtual environment of a package. */
function environmentOf({ runtime, name }: PackageRequest, folder: string): string {
  return runtime === 'pipx' ? join(folder, 'pipx', 'venvs', name) : join(folder, 'venv');
}
