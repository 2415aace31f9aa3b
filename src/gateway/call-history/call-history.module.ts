import { Module } from '@nestjs/common';
import { IssuesModule } from '../../work/issues/issues.module.js';
import { CallHistoryRepository } from './call-history.repository.js';
import { CallHistoryService } from './call-history.service.js';
import { CallSummaryRepository } from './call-summary.repository.js';
import { CallsController } from './calls.controller.js';
import { IssueCallsController } from './issue-calls.controller.js';

@Module({
  imports: [IssuesModule],
  controllers: [CallsController, IssueCallsController],
  providers: [CallHistoryRepository, CallHistoryService, CallSummaryRepository],
})
export class CallHistoryModule {}
