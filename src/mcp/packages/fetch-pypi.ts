import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostEnvironment } from '../runtime/host-environment.js';
import { removeTree } from './folder-tree.js';
import type { FetchContext, Fetcher, PackageRequest } from './package-request.js';
import { PackageUnavailable } from './packages.errors.js';
import { pipCause } from './pip-cause.js';
import { runTool } from './run-tool.js';
import { toolEnvironment } from './tool-environment.js';

/** Absolute paths of the interpreter and of pipx, as the runtime report has them; null where not on this host. */
export interface PythonTools {
  python: string | null;
  pipx: string | null;
}

/** An operator's own settings pass, but for those that would put the packages elsewhere. */
const passed = /^(PIP_(?!(USER|TARGET|PREFIX|ROOT|REQUIRE_VIRTUALENV|DRY_RUN)$)|PIPX_)/;
const quiet = ['--no-input', '--disable-pip-version-check', '--retries', '2', '--progress-bar', 'off'];
/** Nothing is built: an archive of sources runs its own code to build itself, as npm's install scripts do. */
const binaryOnly = ['--only-binary', ':all:'];

/**
 * Fetches packages of PyPI. pip downloads the one archive with `--require-hashes` and refuses another than the
 * catalogue's; that very file is then installed with what it depends on: into `venv/`, or by pipx, which puts the
 * programs into `bin/`. Both write absolute paths into their files, so they are made where they stay. The lock is a
 * list of versions, which pip is held to as constraints.
 */
export function pypiFetcher(host: HostEnvironment, tools: () => Promise<PythonTools>): Fetcher {
  return async (request, context) => {
    const { python, pipx } = await tools();
    if (!python)
      throw new PackageUnavailable('Python 3 was not found on this host: install it with its venv module.');
    if (request.runtime === 'pipx' && !pipx) throw new PackageUnavailable('pipx was not found on this host.');
    const run = runner(host, context);
    const build = request.runInstallScripts ? [] : binaryOnly;

    context.log(`fetching ${request.name}==${request.version} and checking its integrity`);
    await run(python, ['-m', 'venv', 'venv']);
    const archive = await download(run, request, context, build);

    context.log('installing it with what it depends on');
    const constraints = await constraintsOf(context);
    if (request.runtime === 'pipx') {
      await removeTree(join(context.folder, 'venv'));
      const pipArguments = `--pip-args=${[...quiet, ...build].join(' ')}`;
      await run(pipx ?? 'pipx', ['install', '--python', python, pipArguments, archive], constraints);
    } else {
      await run(pipOf(context), ['-m', 'pip', 'install', ...quiet, ...build, archive], constraints);
    }
    await removeTree(join(context.folder, 'archive'));
    return lockOf(run, request, context);
  };
}

/** @returns what it printed */
type Run = (command: string, args: string[], more?: Record<string, string>) => Promise<string>;

function runner(host: HostEnvironment, { folder, signal }: FetchContext): Run {
  const env = toolEnvironment(host, passed, {
    PIPX_HOME: join(folder, 'pipx'),
    PIPX_BIN_DIR: join(folder, 'bin'),
    PIPX_MAN_DIR: join(folder, 'man'),
  });
  return async (command, args, more = {}) => {
    const { code, output } = await runTool(command, args, { cwd: folder, env: { ...env, ...more }, signal });
    if (code !== 0) throw new PackageUnavailable(pipCause(output));
    return output;
  };
}

/** @returns the path of the archive, which has the integrity that the catalogue names */
async function download(
  run: Run,
  request: PackageRequest,
  context: FetchContext,
  build: string[],
): Promise<string> {
  const folder = join(context.folder, 'archive');
  const requirements = join(folder, 'requirements.txt');
  await mkdir(folder);
  await writeFile(requirements, `${request.name}==${request.version} --hash=${hashOf(request.integrity)}\n`);
  await run(pipOf(context), [
    '-m',
    'pip',
    'download',
    '--no-deps',
    '--require-hashes',
    '--dest',
    folder,
    '--requirement',
    requirements,
    ...quiet,
    ...build,
  ]);
  const archives = (await readdir(folder)).filter((name) => name !== 'requirements.txt');
  if (archives.length !== 1) throw new PackageUnavailable('pip fetched no single archive of the package.');
  return join(folder, archives[0]!);
}

/** For pip by its environment, which pipx hands on. */
async function constraintsOf({ folder, lock }: FetchContext): Promise<Record<string, string>> {
  if (lock === null) return {};
  const file = join(folder, 'archive', 'constraints.txt');
  await writeFile(file, lock);
  return { PIP_CONSTRAINT: file };
}

/** The versions of all that lies in the package's environment, but for pip and what pip itself needs. */
async function lockOf(run: Run, { runtime }: PackageRequest, context: FetchContext): Promise<string> {
  const venvs = join(context.folder, 'pipx', 'venvs');
  const [name = ''] = runtime === 'pipx' ? await readdir(venvs) : [];
  const environment = runtime === 'pipx' ? join(venvs, name) : join(context.folder, 'venv');
  const program = `import importlib.metadata as m
for d in m.distributions():
  if d.metadata['Name'].lower() not in ('pip', 'setuptools', 'wheel'): print(f"{d.metadata['Name']}=={d.version}")`;
  const versions = await run(join(environment, 'bin', 'python'), ['-I', '-c', program]);
  return `${versions.trim().split('\n').toSorted().join('\n')}\n`;
}

function pipOf({ folder }: FetchContext): string {
  return join(folder, 'venv', 'bin', 'python');
}

/** `sha256-<base64>` in pip's form, `sha256:<hex>`. */
function hashOf(integrity: string): string {
  const [algorithm, digest = ''] = integrity.split('-');
  return `${algorithm}:${Buffer.from(digest, 'base64').toString('hex')}`;
}
