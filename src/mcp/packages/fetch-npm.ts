import { realpath, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { HostEnvironment } from '../runtime/host-environment.js';
import { checkInstalled, checkLockfile, portableLockfile, writeLockfile } from './npm-lockfile.js';
import { type FetchContext, type Fetcher, PackageUnavailable } from './package-request.js';
import type { PackageSandbox } from './package-sandbox.js';
import { registrySettings } from './run-package-manager.js';

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

type Npm = (args: string[], options?: { foreignCode?: boolean }) => Promise<void>;

async function npmRunner(
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
