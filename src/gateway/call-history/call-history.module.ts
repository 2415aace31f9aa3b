import { Module } from '@nestjs/common';
import { IssuesModule } from '../../work/issues/issues.module.js';
import { CallHistoryRepository, CallSummaryRepository } from './call-history.repository.js';
import { CallHistoryService } from './call-history.service.js';
import { CallsController, IssueCallsController } from './calls.controller.js';

@Module({
  imports: [IssuesModule],
  controllers: [CallsController, IssueCallsController],
  providers: [CallHistoryRepository, CallHistoryService, CallSummaryRepository],
})
export class CallHistoryModule {}
