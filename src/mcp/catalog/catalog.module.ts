import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { CatalogController, PublishedServersController } from './catalog.controller.js';
import { CatalogService } from './catalog.service.js';
import { HostRuntimes } from './installability-and-runtime-detection.js';
import { PublishedServersService } from './published-servers.service.js';

/** Makes the one `CatalogService` injectable everywhere. */
@Module({})
export class CatalogModule {
  /** @param runtimes a provider that is injectable everywhere */
  static with(runtimes: Type<HostRuntimes>): DynamicModule {
    return {
      module: CatalogModule,
      global: true,
      controllers: [CatalogController, PublishedServersController],
      providers: [CatalogService, PublishedServersService, { provide: HostRuntimes, useExisting: runtimes }],
      exports: [CatalogService],
    };
  }
}
