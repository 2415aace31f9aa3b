import { Module } from '@nestjs/common';
import { IssueStatusModule } from '../../work/issue-status/issue-status.module.js';
import { CallHistoryRepository, CallHistoryService, CallSummaryRepository } from './call-history.service.js';
import { CallsController, IssueCallsController } from './calls.controller.js';

@Module({
  imports: [IssueStatusModule],
  controllers: [CallsController, IssueCallsController],
  providers: [CallHistoryRepository, CallHistoryService, CallSummaryRepository],
})
export class CallHistoryModule {}
