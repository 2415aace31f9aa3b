import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { exists, namesIn } from './folder-tree.js';
import { PackageUnavailable } from './packages.errors.js';
import { normalName, readLock } from './python-lock.js';

/** What `python -m venv` itself puts into an environment. */
const OF_VENV = new Set(['pip', 'setuptools', 'wheel']);

/** A distribution that is installed in a virtual environment. */
interface Distribution {
  name: string;
  version: string;
  /** The absolute path of its `.dist-info` folder. */
  info: string;
}

/**
 * Checks that a virtual environment holds exactly what its lock names. The files are read here and the environment's
 * interpreter is never asked, because it executes the `.pth` files of every package when it starts.
 * @throws {PackageUnavailable} when a distribution is missing, has another version, or is not in the lock
 */
export async function checkEnvironment(environment: string, lock: string): Promise<void> {
  const installed = await distributionsIn(environment);
  const locked = new Map(readLock(lock).map(({ name, version }) => [normalName(name), version]));
  const extra = installed.find(({ name }) => !locked.has(normalName(name)) && !OF_VENV.has(normalName(name)));
  const missing = [...locked].find(
    ([name, version]) =>
      !installed.some((found) => normalName(found.name) === name && found.version === version),
  );
  const wrong = extra?.name ?? missing?.[0];
  if (wrong !== undefined)
    throw new PackageUnavailable(
      `The installed packages differ from the lock: ${wrong}. Nothing was kept; report it to the maintainer of the entry.`,
    );
}

/** Links the programs of one distribution into a folder, as pipx does. */
export async function linkPrograms(environment: string, name: string, folder: string): Promise<void> {
  const own = (await distributionsIn(environment)).find(
    (found) => normalName(found.name) === normalName(name),
  );
  await mkdir(folder);
  for (const program of await programsOf(own?.info)) {
    const path = join(environment, 'bin', program);
    if (await exists(path)) await symlink(relative(folder, path), join(folder, program));
  }
}

async function distributionsIn(environment: string): Promise<Distribution[]> {
  const found: Distribution[] = [];
  for (const packages of await sitePackages(environment))
    for (const entry of (await readdir(packages)).filter((name) => name.endsWith('.dist-info'))) {
      const info = join(packages, entry);
      const [header = ''] = (await readFile(join(info, 'METADATA'), 'utf8')).split(/\r?\n\r?\n/);
      found.push({ name: field(header, 'Name'), version: field(header, 'Version'), info });
    }
  return found;
}

async function sitePackages(environment: string): Promise<string[]> {
  const lib = join(environment, 'lib');
  const interpreters = (await namesIn(lib)).filter((name) => name.startsWith('python'));
  return interpreters.map((name) => join(lib, name, 'site-packages'));
}

function field(header: string, name: string): string {
  return new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'im').exec(header)?.[1] ?? '';
}

/** Returns the names below `[console_scripts]` in `entry_points.txt`. */
async function programsOf(info: string | undefined): Promise<string[]> {
  const file = info === undefined ? null : join(info, 'entry_points.txt');
  const text = file !== null && (await exists(file)) ? await readFile(file, 'utf8') : '';
  const [, section = ''] = /\[console_scripts\]([^[]*)/.exec(text) ?? [];
  return [...section.matchAll(/^\s*([A-Za-z0-9._-]+)\s*=/gm)].map(([, name = '']) => name);
}
