import { access, constants, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostEnvironment } from '../runtime/host-environment.js';
import { npmCause } from './npm-cause.js';
import { findNpmCli } from './npm-cli.js';
import { checkLockfile, portableLockfile, writeLockfile } from './npm-lockfile.js';
import type { FetchContext, Fetcher } from './package-request.js';
import { PackageUnavailable } from './packages.errors.js';
import { runTool } from './run-tool.js';
import { toolEnvironment } from './tool-environment.js';

/**
 * Flags of every run. npm waits 5 minutes for a connection that fell silent, longer than a whole install may take:
 * here it is given up after 15 s and tried anew. They win over an operator's npm configuration where that would change what is installed or
 * where; its registry, proxy, certificates, credentials and cache stay. Optional packages are wanted: some servers
 * carry their binary in one.
 */
const flags = [
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
 * Fetches npm packages in two steps. First only the lockfile is made, from what the registry says; unless it names
 * the very archive that the catalogue names, nothing is downloaded. Then npm downloads by that lockfile and stops with
 * EINTEGRITY before it unpacks an archive that is another than promised. The lockfile stays; where an earlier fetch
 * gave one, the first step is to take that. Not `npm ci`: it refuses a lockfile that lacks an optional package, and a
 * registry may not have those of every platform.
 */
export function npmFetcher(host: HostEnvironment, privateCache: string): Fetcher {
  return async (request, context) => {
    const npm = await npmRunner(host, privateCache, context);
    const manifest = {
      name: 'mcp-server',
      version: '0.0.0',
      private: true,
      dependencies: { [request.name]: request.version },
    };
    await writeFile(join(context.folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

    if (context.lock === null) {
      context.log(`resolving ${request.name}@${request.version} and what it depends on`);
      await npm('install', '--package-lock-only', ...flags);
    } else await writeLockfile(context.folder, context.lock);
    const count = await checkLockfile(request, context.folder);

    context.log(`integrity as in the catalogue; fetching ${count} packages`);
    await npm('install', ...flags);
    if (request.runInstallScripts) {
      context.log('running the install scripts, which the entry says it needs');
      await npm('rebuild', ...flags, '--ignore-scripts=false');
    }
    return portableLockfile(context.folder);
  };
}

type Npm = (...args: string[]) => Promise<void>;

async function npmRunner(host: HostEnvironment, privateCache: string, context: FetchContext): Promise<Npm> {
  const cli = await findNpmCli(host.path);
  const env = toolEnvironment(host, /^npm_config_/i, await cacheOf(host, privateCache));
  return async (...args) => {
    const run = await runTool(process.execPath, [cli, ...args, `--prefix=${context.folder}`], {
      cwd: context.folder,
      env,
      signal: context.signal,
    });
    if (run.code !== 0) throw new PackageUnavailable(npmCause(run.output));
  };
}

/** The user's own cache, or one in the data folder where the service's user has no home to write to. */
async function cacheOf(host: HostEnvironment, privateCache: string): Promise<Record<string, string>> {
  try {
    await access(host.home, constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: privateCache };
  }
}
