import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { HostEnvironment } from '../runtime/host-environment.js';
import { RuntimeService } from '../runtime/runtime.service.js';
import { npmFetcher } from './fetch-npm.js';
import { pypiFetcher } from './fetch-pypi.js';
import { PackageInstaller } from './package-installer.js';

/** Below the 120 s that an installation may take in all (spec §3.3), so that there is time left to answer. */
const limitMs = 115_000;

@Module({
  providers: [
    {
      provide: PackageInstaller,
      inject: [Settings, HostEnvironment, RuntimeService],
      useFactory: (settings: Settings, host: HostEnvironment, runtimes: RuntimeService) =>
        new PackageInstaller(
          { dataFolder: settings.dataDir, limitMs },
          {
            npm: npmFetcher(host, join(settings.dataDir, 'mcp', 'npm-cache')),
            pypi: pypiFetcher(host, async () => {
              const { python, pipx } = await runtimes.report();
              return { python: python.detected ? python.path : null, pipx: pipx.detected ? pipx.path : null };
            }),
          },
        ),
    },
  ],
  exports: [PackageInstaller],
})
export class PackagesModule {}
