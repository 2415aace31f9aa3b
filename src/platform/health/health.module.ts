import { Global, Module } from '@nestjs/common';
import { HealthController, ReadinessService } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsService } from './metrics.service.js';
import { WriteChecksService } from './write-checks.service.js';

@Global()
@Module({
  controllers: [HealthController, MetricsController],
  providers: [MetricsService, ReadinessService, WriteChecksService],
  exports: [MetricsService, ReadinessService, WriteChecksService],
})
export class HealthModule {}
