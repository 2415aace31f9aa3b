import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { LeasesModule } from '../leases/leases.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import {
  UsageBatchesWorker,
  UsageRetentionWorker,
  UsageTotalRepository,
} from './usage-sums-batches-and-retention.worker.js';
import { UsageEvaluationRepository, UsageEvaluationService } from './usage-evaluation.service.js';
import { UsageReportRepository, UsageReportsService } from './usage-reports.service.js';
import { UsageController } from './usage.controller.js';
import { UsageHour, UsageReport, UsageTotal } from './usage.entities.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([UsageHour, UsageReport, UsageTotal]),
    IssueStatusModule,
    LeasesModule,
    ProjectsModule,
    QuotasModule,
  ],
  controllers: [UsageController],
  providers: [
    UsageBatchesWorker,
    UsageEvaluationRepository,
    UsageReportRepository,
    { provide: getRepositoryToken(UsageReport), useExisting: UsageReportRepository },
    UsageReportsService,
    UsageEvaluationService,
    UsageRetentionWorker,
    UsageTotalRepository,
    { provide: getRepositoryToken(UsageTotal), useExisting: UsageTotalRepository },
  ],
  exports: [getRepositoryToken(UsageTotal), UsageBatchesWorker, UsageReportsService],
})
export class UsageModule {}
