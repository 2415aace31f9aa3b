import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostEnvironment } from '../runtime/runtime.service.js';
import {
  exists,
  type FetchContext,
  type Fetcher,
  type PackageRequest,
  PackageUnavailable,
} from './package-unavailable-and-folders.js';
import { type PackageSandbox, registrySettings, workFolder } from './package-sandbox.js';
import {
  checkEnvironment,
  hasHashes,
  linkPrograms,
  lockOfArchives,
  lockOfClosure,
  readLock,
  refuseOtherPin,
} from './python-environment.js';

/** What pip, venv and pipx print when they fail, and its meaning for the operator; the first match counts. */
const CAUSES: [RegExp, string][] = [
  [
    /DO NOT MATCH THE HASHES/,
    'the index offers an archive other than the one in the catalogue (integrity differs)',
  ],
  [
    /ensurepip is not available|No module named '?(venv|ensurepip|pip)/,
    "this host's Python lacks its venv module (python3-venv)",
  ],
  [
    /NewConnectionError|Connection refused|ConnectTimeout|ReadTimeout|Name or service not known|Temporary failure in name resolution|ProxyError|MaxRetryError/,
    'the index could not be reached',
  ],
  [/CERTIFICATE_VERIFY_FAILED|SSLError/, "the index's certificate is not trusted by pip"],
  [
    /requires a different Python|Requires-Python/,
    "the package does not support this host's version of Python",
  ],
  [
    /No matching distribution found|Could not find a version/,
    'the index has no such package or version for this host (source archives count only if the entry runs install scripts)',
  ],
  [/No space left on device/, 'the disk of the data folder is full'],
  [
    /Permission denied|Read-only file system/,
    'pip has no permission to write to its cache or to the data folder',
  ],
];

/** Describes the failure without the programs' own output, which holds addresses and sometimes the credentials in them. */
export function pipCause(output: string): string {
  const cause = CAUSES.find(([form]) => form.test(output))?.[1] ?? 'pip could not install it';
  return `The package could not be fetched: ${cause}. Nothing was kept; fix the cause and try again.`;
}

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
