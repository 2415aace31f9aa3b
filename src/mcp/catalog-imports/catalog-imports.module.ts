import { Module } from '@nestjs/common';
import { RuntimeService } from '../runtime/runtime.service.js';
import { HostRuntimes } from '../catalog/installability-and-runtime-detection.js';
import { PackagesModule } from '../packages/packages.module.js';
import { PackageImportsController } from './package-imports.controller.js';
import { PackageImportsService } from './package-imports.service.js';

@Module({
  imports: [PackagesModule],
  controllers: [PackageImportsController],
  providers: [PackageImportsService, { provide: HostRuntimes, useExisting: RuntimeService }],
})
export class CatalogImportsModule {}
