import { Module } from '@nestjs/common';
import { RunningModule } from '../../mcp/running/running.module.js';
import { ToolsHostsModule } from '../../mcp/tools-hosts/tools-hosts.module.js';
import { BudgetsModule } from '../../work/budgets/budgets.module.js';
import { GatesModule } from '../../work/gates/gates.module.js';
import { LeasesModule } from '../../work/leases/leases.module.js';
import { ApprovalsModule } from '../approvals/approvals.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { PlatformToolsModule } from '../platform-tools/platform-tools.module.js';
import { AdmittedCallsService } from './admitted-and-failed-calls.service.js';
import {
  CallQuestionsService,
  HeldQuestionsService,
  InputRoundsService,
} from './call-questions-and-rounds.service.js';
import {
  CallStartRuleService,
  LeaseCallsService,
  LeaseCallStartService,
  LeaseCallsWorker,
} from './lease-calls-and-starts.service.js';
import { OpenCallsService, ToolCallsService } from './tool-calls.service.js';

/** Makes the calls of tools that agents ask for. */
@Module({
  imports: [
    ApprovalsModule,
    BudgetsModule,
    CallsModule,
    GatesModule,
    LeasesModule,
    PlatformToolsModule,
    RunningModule,
    ToolsHostsModule,
  ],
  providers: [
    AdmittedCallsService,
    CallQuestionsService,
    CallStartRuleService,
    HeldQuestionsService,
    InputRoundsService,
    LeaseCallsService,
    LeaseCallStartService,
    LeaseCallsWorker,
    OpenCallsService,
    ToolCallsService,
  ],
  exports: [ToolCallsService],
})
export class ToolCallsModule {}
