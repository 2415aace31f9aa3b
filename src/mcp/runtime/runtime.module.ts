import { type DynamicModule, Module } from '@nestjs/common';
import { RuntimeController } from './runtime.controller.js';
import { HostEnvironment, RuntimeService } from './runtime.service.js';

/** Makes the one `RuntimeService` and the host's environment injectable everywhere. */
@Module({})
export class RuntimeModule {
  static with(environment: HostEnvironment): DynamicModule {
    return {
      module: RuntimeModule,
      global: true,
      controllers: [RuntimeController],
      providers: [RuntimeService, { provide: HostEnvironment, useValue: environment }],
      exports: [RuntimeService, HostEnvironment],
    };
  }
}
