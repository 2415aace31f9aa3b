import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import type { SandboxLevel } from '../processes/sandbox/launch-command.js';
import { probeSandbox } from '../processes/sandbox/sandbox-probe.js';
import { HostEnvironment, RuntimeService } from '../runtime/runtime.service.js';
import { npmFetcher } from './install-npm-package.js';
import { pypiFetcher } from './install-pypi-package.js';
import { NpmPackageReader } from './npm-package-reader.js';
import { PackageInstaller } from './package-installer.js';
import { PackageSandbox } from './package-sandbox.js';

/** Less than the 120 s of a whole installation (contract §3.3), so that there is time left to respond. */
const LIMIT_MS = 115_000;

@Module({
  providers: [
    {
      provide: PackageInstaller,
      inject: [Settings, HostEnvironment, RuntimeService],
      useFactory: (settings: Settings, host: HostEnvironment, runtimes: RuntimeService) =>
        new PackageInstaller(
          { dataFolder: settings.dataDir, limitMs: LIMIT_MS },
          {
            npm: npmFetcher(host, npmSandbox(settings, host)),
            pypi: pypiFetcher(
              host,
              sandboxOf(settings, host.variables.PIP_CACHE_DIR ?? join(settings.dataDir, 'mcp', 'pip-cache')),
              async () => {
                const { python, pipx } = await runtimes.report();
                return {
                  python: python.detected ? python.path : null,
                  pipx: pipx.detected ? pipx.path : null,
                };
              },
            ),
          },
        ),
    },
    {
      provide: NpmPackageReader,
      inject: [Settings, HostEnvironment],
      useFactory: (settings: Settings, host: HostEnvironment) =>
        new NpmPackageReader(host, npmSandbox(settings, host), settings.dataDir),
    },
  ],
  exports: [PackageInstaller, NpmPackageReader],
})
export class PackagesModule {}

function npmSandbox(settings: Settings, { variables }: HostEnvironment): PackageSandbox {
  return sandboxOf(settings, variables.npm_config_cache ?? join(settings.dataDir, 'mcp', 'npm-cache'));
}

/** The level is probed at the first installation, which spares a start that installs nothing the 100 ms. */
function sandboxOf(settings: Settings, cache: string): PackageSandbox {
  let level: Promise<SandboxLevel> | undefined;
  const ownFiles = [settings.encryptionKeyringFile, settings.tls?.keyFile, ...settings.secrets.paths];
  return new PackageSandbox({
    dataFolder: settings.dataDir,
    hidden: ownFiles.filter((path) => path !== undefined),
    cache,
    level: () => (level ??= probeSandbox(settings.mcpSandbox)),
  });
}
