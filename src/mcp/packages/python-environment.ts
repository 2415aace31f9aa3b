import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import {
  exists,
  namesIn,
  type PackageRequest,
  PackageUnavailable,
  type PinnedDistribution,
} from './package-unavailable-and-folders.js';

/** One line of a lock: a version of a distribution, and the hashes of the archives that it may come from. */
export interface LockedDistribution {
  name: string;
  version: string;
  /** In pip's form, such as `sha256:<hex>`. */
  hashes: string[];
}

/** Returns the lock as a requirements file for pip's `--require-hashes`, sorted by name. */
export function lockText(distributions: readonly LockedDistribution[]): string {
  const lines = distributions.map(({ name, version, hashes }) =>
    [`${normalName(name)}==${version}`, ...hashes.map((hash) => `--hash=${hash}`)].join(' '),
  );
  return `${lines.toSorted().join('\n')}\n`;
}

/** Reads a lock. The lines of a lock that an earlier release stored have no hashes. */
export function readLock(text: string): LockedDistribution[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [requirement = '', ...options] = line.split(' ');
      const [name = '', version = ''] = requirement.split('==');
      return { name, version, hashes: options.map((option) => option.replace('--hash=', '')) };
    });
}

/** Returns the lock of an entry that names its whole closure. */
export function lockOfClosure(request: PackageRequest, closure: readonly PinnedDistribution[]): string {
  const others = closure.map(({ name, version, files }) => {
    return { name, version, hashes: files.map(({ sha256 }) => `sha256:${sha256}`) };
  });
  return lockText([ownLine(request), ...others]);
}

/**
 * Returns the lock of the archives in a folder, into which pip has downloaded a package with its dependencies.
 * @throws {PackageUnavailable} when the package's own archive is not the one that the catalogue names
 */
export async function lockOfArchives(request: PackageRequest, folder: string): Promise<string> {
  const own = ownLine(request);
  const locked: LockedDistribution[] = [];
  for (const file of (await readdir(folder)).toSorted()) {
    const content = await readFile(join(folder, file));
    const isOwn = normalName(distributionOf(file).name) === normalName(request.name);
    const [algorithm = 'sha256'] = isOwn ? request.integrity.split('-') : ['sha256'];
    const hash = `${algorithm}:${createHash(algorithm).update(content).digest('hex')}`;
    locked.push({ ...distributionOf(file), hashes: [hash] });
  }
  const text = lockText(locked);
  refuseOtherArchive(request, own, text);
  return text;
}

/** @throws {PackageUnavailable} when a lock names another archive of the package than the catalogue */
export function refuseOtherPin(request: PackageRequest, lock: string): void {
  refuseOtherArchive(request, ownLine(request), lock);
}

/** Returns whether every line of a lock has a hash. */
export function hasHashes(lock: string): boolean {
  return readLock(lock).every(({ hashes }) => hashes.length > 0);
}

/** Returns a name in the form in which two names of one distribution are equal (PEP 503). */
export function normalName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}

function refuseOtherArchive(request: PackageRequest, own: LockedDistribution, lock: string): void {
  if (lock.split('\n').includes(lockText([own]).trim())) return;
  throw new PackageUnavailable(
    `The index offers an archive of ${request.name}==${request.version} other than the one in the catalogue (integrity differs). Nothing was installed; find out why before you trust either.`,
  );
}

function ownLine({ name, version, integrity }: PackageRequest): LockedDistribution {
  const [algorithm, digest = ''] = integrity.split('-');
  return { name, version, hashes: [`${algorithm}:${Buffer.from(digest, 'base64').toString('hex')}`] };
}

/** Returns `acme-mcp` and `1.0.0` for `acme_mcp-1.0.0-py3-none-any.whl` and for `acme-mcp-1.0.0.tar.gz`. */
function distributionOf(file: string): { name: string; version: string } {
  const source = /^(.+)-([^-]+)\.(?:tar\.gz|tgz|zip)$/.exec(file);
  const [, name = file, version = ''] = source ?? /^([^-]+)-([^-]+)-.+\.whl$/.exec(file) ?? [];
  return { name, version };
}

const PROGRAM = /^([A-Za-z0-9._-]+)\s*=/;

/**
 * Returns the first value of a field in the header of a METADATA file; empty where it has none. A package writes these
 * files, so they are read line by line: an expression over all lines can take the square of their length.
 */
export function fieldOf(metadata: string, name: string): string {
  const start = `${name.toLowerCase()}:`;
  for (const line of linesOf(metadata)) {
    if (line === '') return '';
    if (line.toLowerCase().startsWith(start)) return line.slice(start.length).trim();
  }
  return '';
}

/** Returns the names below `[console_scripts]` in an entry_points.txt. */
export function consoleScriptsIn(entryPoints: string): string[] {
  const names: string[] = [];
  let isWithin = false;
  for (const line of linesOf(entryPoints).map((each) => each.trim())) {
    if (line.startsWith('[')) isWithin = line === '[console_scripts]';
    const [, name] = (isWithin && PROGRAM.exec(line)) || [];
    if (name !== undefined) names.push(name);
  }
  return names;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

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
