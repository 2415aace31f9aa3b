import { readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { HostEnvironment } from '../runtime/runtime.service.js';
import {
  type FetchContext,
  type Fetcher,
  type PackageRequest,
  PackageUnavailable,
} from './package-unavailable-and-folders.js';
import { type PackageSandbox, registrySettings } from './package-sandbox.js';

/**
 * Finds the npm that belongs to the running Node: beside its binary, as in every distribution of Node, or else on the
 * PATH if that is npm itself and not a wrapper in another language.
 * @returns the path of npm-cli.js, which the running Node executes
 * @throws {PackageUnavailable} when this host has no npm
 */
export async function findNpmCli(path: string, node = process.execPath): Promise<string> {
  const beside = dirname(await realpath(node));
  const candidates = [
    join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...path
      .split(':')
      .filter(isAbsolute)
      .map((folder) => join(folder, 'npm')),
  ];
  for (const candidate of candidates) {
    // A candidate that does not exist cannot matter: the next one is tried.
    const file = await realpath(candidate).catch(() => null);
    if (file?.endsWith('npm-cli.js')) return file;
  }
  throw new PackageUnavailable(
    'npm was not found beside Node or on the PATH of the service. Install it and try again.',
  );
}

/** The meaning of npm's error codes for the operator; the first match counts. */
const CAUSES: [RegExp, string][] = [
  [/^EINTEGRITY$/, 'an archive differs from what the registry announced (integrity differs)'],
  [/^(E404|ETARGET|ENOVERSIONS)$/, 'the registry has no such package or version'],
  [/^(E401|E403|ENEEDAUTH)$/, "the registry refused the service's npm credentials"],
  [
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E5\d\d|E429)$/,
    'the registry could not be reached',
  ],
  [/^(ENOTCACHED)$/, 'npm is configured to work offline and the package is not in its cache'],
  [/^(CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/, "the registry's certificate is not trusted by npm"],
  [/^(ENOSPC|EDQUOT)$/, 'the disk of the data folder is full'],
  [/^(EACCES|EPERM|EROFS)$/, 'npm has no permission to write to its cache or to the data folder'],
  [/^EBADENGINE$/, 'the package does not support the version of Node that runs the service'],
  [/^ELIFECYCLE$/, 'an install script failed'],
];

/** Describes npm's failure without its own output, which holds addresses and sometimes the credentials in them. */
export function npmCause(output: string): string {
  const code = /npm (?:error|ERR!) code (\w+)/.exec(output)?.[1];
  const cause = CAUSES.find(([form]) => code && form.test(code))?.[1] ?? 'npm could not install it';
  return `The package could not be fetched: ${cause}${code ? ` (npm ${code})` : ''}. Nothing was kept; fix the cause and try again.`;
}

/**
 * Flags of every run. npm waits 5 minutes for a silent connection, longer than a whole installation may take, so a
 * request here times out after 15 s and is retried. Optional packages are included because some servers ship their
 * binary in one.
 */
const FLAGS = [
  '--ignore-scripts',
  '--omit=dev',
  '--include=optional',
  '--install-strategy=hoisted',
  '--package-lock=true',
  '--global=false',
  '--dry-run=false',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--no-progress',
  '--logs-max=0',
  '--loglevel=error',
  '--fetch-timeout=15000',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];

/**
 * Fetches npm packages in two steps. The first step only makes the lockfile from what the registry reports, or takes the
 * lockfile of an earlier fetch; unless it names the archive that the catalogue names and pins every other one, nothing is
 * installed. In the second step npm downloads by that lockfile and stops with EINTEGRITY before it unpacks an archive
 * that does not match. `npm ci` is not used because it rejects a lockfile that lacks an optional package, and a registry
 * may not have those of every platform.
 */
export function npmFetcher(host: HostEnvironment, sandbox: PackageSandbox): Fetcher {
  return async (request, context) => {
    const npm = await npmRunner(host, sandbox, context);
    const manifest = {
      name: 'mcp-server',
      version: '0.0.0',
      private: true,
      dependencies: { [request.name]: request.version },
    };
    await writeFile(join(context.folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

    if (context.lock === null) {
      context.log(`resolving ${request.name}@${request.version} and its dependencies`);
      await npm(['install', '--package-lock-only', ...FLAGS]);
    } else await writeLockfile(context.folder, context.lock);
    const count = await checkLockfile(request, context.folder);

    const lock = await portableLockfile(context.folder);
    const install = async (): Promise<string> => {
      context.log(`integrity matches the catalogue; fetching ${count} packages`);
      await npm(['install', ...FLAGS]);
      await checkInstalled(request, context.folder);
      if (request.runInstallScripts) {
        context.log('running the install scripts, as the entry requires');
        await npm(['rebuild', ...FLAGS, '--ignore-scripts=false'], { foreignCode: true });
      }
      return portableLockfile(context.folder);
    };
    return { lock, install };
  };
}

/** @throws {PackageUnavailable} when npm fails */
export type Npm = (args: string[], options?: { foreignCode?: boolean }) => Promise<void>;

/** Returns a function that runs npm in the sandbox, with the registry of this host. @throws {PackageUnavailable} when it fails */
export async function npmRunner(
  host: HostEnvironment,
  sandbox: PackageSandbox,
  { folder, signal }: FetchContext,
): Promise<Npm> {
  const cli = await findNpmCli(host.path);
  const settings = registrySettings(host, 'npm');
  return async (args, { foreignCode = false } = {}) => {
    const run = await sandbox.run({
      command: process.execPath,
      args: [cli, ...args, `--prefix=${folder}`],
      folder,
      // An address may hold credentials: code of the package does not get it.
      settings: foreignCode ? {} : settings,
      readable: [dirname(dirname(cli))],
      foreignCode,
      signal,
    });
    if (run.code !== 0) throw new PackageUnavailable(npmCause(run.output));
  };
}

interface Lockfile {
  packages: Record<string, Locked | undefined>;
}

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  inBundle?: boolean;
}

/**
 * One SHA-512 hash and nothing else. npm accepts an archive that matches any hash of the strongest algorithm in a list,
 * and adds what the registry announces to a weaker one, so that a list or a SHA-1 pins nothing.
 */
const ONE_SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** Where npm records what it has unpacked. */
const INSTALLED = join('node_modules', '.package-lock.json');

/**
 * Checks the lockfile in a folder: it names the catalogue's archive, and every package of the closure has exactly one
 * SHA-512 hash (one from git or from a plain address has none). A bundled package lies in the archive of another, whose
 * hash covers it.
 * @returns the number of packages that the lockfile names
 * @throws {PackageUnavailable} when it names another archive, or a package whose content it does not pin
 */
export async function checkLockfile(request: PackageRequest, folder: string): Promise<number> {
  const packages = await packagesIn(folder, 'package-lock.json');
  const below = Object.entries(packages).filter(([path]) => path !== '');
  for (const [path, locked] of below) refuseUnpinned(request, path, locked ?? {});
  const wanted = packages[`node_modules/${request.name}`];
  if (wanted?.version !== request.version || wanted.integrity !== request.integrity)
    throw new PackageUnavailable(
      `The registry offers an archive of ${request.name}@${request.version} other than the one in the catalogue (integrity differs). Nothing was downloaded; find out why before you trust either.`,
    );
  return below.length;
}

/**
 * Checks that npm unpacked what the checked lockfile names and nothing else, before any of it can run. A registry that
 * announces a package as bundled makes npm fetch it without a hash when the archive lacks it.
 * @throws {PackageUnavailable} when a package is installed that the lockfile does not name with this hash
 */
export async function checkInstalled(request: PackageRequest, folder: string): Promise<void> {
  await checkLockfile(request, folder);
  const locked = await packagesIn(folder, 'package-lock.json');
  for (const [path, found] of Object.entries(await packagesIn(folder, INSTALLED))) {
    const expected = locked[path];
    const agrees = expected && sameArchive(expected, found ?? {});
    if (!agrees) throw unpinned(request, path, 'which npm installed otherwise than the lockfile says');
  }
}

/**
 * Returns the lockfile in a form for other hosts: without the addresses of archives, since another host may use another
 * registry. The integrity stays, and npm finds the archives by name and version.
 */
export async function portableLockfile(folder: string): Promise<string> {
  const lockfile = await readLockfile(folder, 'package-lock.json');
  for (const locked of Object.values(lockfile.packages)) delete locked?.resolved;
  return JSON.stringify(lockfile);
}

export async function writeLockfile(folder: string, text: string): Promise<void> {
  await writeFile(join(folder, 'package-lock.json'), text);
}

function refuseUnpinned(request: PackageRequest, path: string, { integrity, inBundle }: Locked): void {
  if (inBundle) {
    if (!path.includes('/node_modules/'))
      throw unpinned(request, path, 'which is announced as bundled, but no package holds it');
  } else if (!integrity)
    throw unpinned(request, path, 'which is not from the registry and cannot be checked');
  else if (/\s/.test(integrity.trim()))
    throw unpinned(request, path, 'for which the registry names more than one hash (integrity differs)');
  else if (!ONE_SHA512.test(integrity))
    throw unpinned(request, path, 'for which the registry names no SHA-512 hash');
}

function unpinned({ name, version }: PackageRequest, path: string, reason: string): PackageUnavailable {
  const dependency = path.replace(/^.*node_modules\//, '');
  return new PackageUnavailable(
    `${name}@${version} needs ${dependency}, ${reason}. Nothing was kept; find out why before you trust the registry.`,
  );
}

function sameArchive(expected: Locked, found: Locked): boolean {
  return (
    expected.version === found.version &&
    expected.integrity === found.integrity &&
    Boolean(expected.inBundle) === Boolean(found.inBundle)
  );
}

async function packagesIn(folder: string, name: string): Promise<Lockfile['packages']> {
  return (await readLockfile(folder, name)).packages;
}

async function readLockfile(folder: string, name: string): Promise<Lockfile> {
  return JSON.parse(await readFile(join(folder, name), 'utf8')) as Lockfile;
}
