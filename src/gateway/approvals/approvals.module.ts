import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { RunningModule } from '../../mcp/running/running.module.js';
import { BudgetsModule } from '../../work/budgets/budgets.module.js';
import { GatesModule } from '../../work/gates/gates.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { ApprovalRequestsService } from './approval-requests-and-errors.service.js';
import { ApprovedCallRightsRepository, ApprovedCallStartService } from './approved-call-start.service.js';
import { DecisionWatchWorker } from './decision-watch.worker.js';
import { ApprovalAnswersService, DueExecutionsWorker } from './answers-and-due-executions.worker.js';
import { ExecutionOnceService, ExecutionWithoutCallerService } from './approved-executions.service.js';
import { TasksService } from './tasks.service.js';
import { ToolApproval } from './tool-approval.entity.js';
import { ToolApprovalRepository } from './tool-approval.repository.js';
import { ApprovalParkingService, WaitingCallsService } from './waiting-and-parked-calls.service.js';

/** Calls that wait for the approval of a person (contract §5.7). */
@Module({
  imports: [TypeOrmModule.forFeature([ToolApproval]), BudgetsModule, CallsModule, GatesModule, RunningModule],
  providers: [
    { provide: getRepositoryToken(ToolApproval), useClass: ToolApprovalRepository },
    ApprovalAnswersService,
    ApprovalParkingService,
    ApprovalRequestsService,
    ApprovedCallRightsRepository,
    ApprovedCallStartService,
    DecisionWatchWorker,
    DueExecutionsWorker,
    ExecutionOnceService,
    ExecutionWithoutCallerService,
    TasksService,
    WaitingCallsService,
  ],
  exports: [
    ApprovalParkingService,
    ApprovalRequestsService,
    ApprovedCallStartService,
    DecisionWatchWorker,
    TasksService,
    WaitingCallsService,
  ],
})
export class ApprovalsModule {}
