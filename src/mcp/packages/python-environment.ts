import { lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { consoleScriptsIn, fieldOf } from './distribution-files.js';
import { exists, namesIn } from './folder-tree.js';
import { PackageUnavailable } from './packages.errors.js';
import { normalName, readLock } from './python-lock.js';

/** What `python -m venv` itself puts into an environment. */
const OF_VENV = new Set(['pip', 'setuptools', 'wheel']);

/** Far more than the files of any package have that are read here. */
const MOST_BYTES = 4 * 2 ** 20;

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
      const metadata = await readPlain(join(info, 'METADATA'));
      found.push({ name: fieldOf(metadata, 'Name'), version: fieldOf(metadata, 'Version'), info });
    }
  return found;
}

async function sitePackages(environment: string): Promise<string[]> {
  const lib = join(environment, 'lib');
  const interpreters = (await namesIn(lib)).filter((name) => name.startsWith('python'));
  return interpreters.map((name) => join(lib, name, 'site-packages'));
}

/** Returns the names below `[console_scripts]` in `entry_points.txt`. */
async function programsOf(info: string | undefined): Promise<string[]> {
  const file = info === undefined ? null : join(info, 'entry_points.txt');
  return file !== null && (await exists(file)) ? consoleScriptsIn(await readPlain(file)) : [];
}

/**
 * Reads a file that a package wrote: no link, which may lead to a device or out of the package, and no huge file.
 * @throws {PackageUnavailable}
 */
async function readPlain(path: string): Promise<string> {
  const found = await lstat(path);
  if (!found.isFile() || found.size > MOST_BYTES)
    throw new PackageUnavailable(
      `The package has a ${basename(path)} that is no ordinary file of at most ${MOST_BYTES} bytes. Nothing was kept; find out why before you trust it.`,
    );
  return readFile(path, 'utf8');
}
