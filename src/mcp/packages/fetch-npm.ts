import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { HostEnvironment } from '../runtime/host-environment.js';
import { npmCause } from './npm-cause.js';
import { findNpmCli } from './npm-cli.js';
import { checkInstalled, checkLockfile, portableLockfile, writeLockfile } from './npm-lockfile.js';
import { registrySettings } from './package-manager-environment.js';
import type { FetchContext, Fetcher } from './package-request.js';
import type { PackageSandbox } from './package-sandbox.js';
import { PackageUnavailable } from './packages.errors.js';

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
