import { Global, Module } from '@nestjs/common';
import {
  ChoreBackupAndDiskMetricsProvider,
  DatabaseMetricsProvider,
} from './database-upkeep-and-disk-metrics.provider.js';
import { HealthController, MetricsController, ReadinessService } from './health.controller.js';
import { MetricsService } from './metrics.service.js';
import { WriteChecksService } from './database-state-and-space-checks.service.js';

@Global()
@Module({
  controllers: [HealthController, MetricsController],
  providers: [
    DatabaseMetricsProvider,
    MetricsService,
    ReadinessService,
    ChoreBackupAndDiskMetricsProvider,
    WriteChecksService,
  ],
  exports: [MetricsService, ReadinessService, WriteChecksService],
})
export class HealthModule {}
