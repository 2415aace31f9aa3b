import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { IssueCallTurn } from '../calls/issue-call-turn.entity.js';
import { ToolApproval } from '../approvals/tool-approval.entity.js';
import { AccessModule } from '../../mcp/access/access.module.js';
import { InstalledServersModule } from '../../mcp/installed-servers/installed-servers.module.js';
import { AttachmentsModule } from '../../work/attachments/attachments.module.js';
import { BudgetsModule } from '../../work/budgets/budgets.module.js';
import { CommentsModule } from '../../work/comments/comments.module.js';
import { GatesModule } from '../../work/gates/gates.module.js';
import { GoalsModule } from '../../work/goals/goals.module.js';
import { IssueStatusModule } from '../../work/issue-status/issue-status.module.js';
import { IssuesModule } from '../../work/issues/issues.module.js';
import { LinksModule } from '../../work/links/links.module.js';
import { ProjectsModule } from '../../work/projects/projects.module.js';
import { UsageModule } from '../../work/usage/usage.module.js';
import { AgentToolsModule } from '../agent-tools/agent-tools.module.js';
import {
  ApprovalRequestsService,
  ApproverAndHintsRepository,
} from '../approvals/approval-requests.service.js';
import { ApprovedCallRightsRepository } from '../approvals/approved-call-rights.repository.js';
import { ApprovedCallStartService } from '../approvals/approved-call-start.service.js';
import { DecisionWatchWorker } from '../approvals/decision-watch.worker.js';
import {
  AbandonedCallsService,
  ApprovalAnswersService,
  DueExecutionsWorker,
} from '../approvals/due-executions.worker.js';
import { ExecutionOnceService } from '../approvals/execution-once.service.js';
import { ExecutionWithoutCallerService } from '../approvals/execution-without-caller.service.js';
import { TasksService, TaskWaitsWorker } from '../approvals/tasks.service.js';
import { ToolApprovalRepository } from '../approvals/tool-approval.repository.js';
import {
  ApprovalParkingService,
  CancelledElsewhereService,
  WaitingCallsService,
} from '../approvals/waiting-calls.service.js';
import { CallRecordsService, CallTurnsService, RecordBatchesWorker } from '../calls/call-records.service.js';
import { CallRightsRepository } from '../calls/call-rights.repository.js';
import { CallDecisionsService, CallRightsService } from '../calls/call-rights.service.js';
import { CallTurnsRepository } from '../calls/issue-call-turn.repository.js';
import { LeaseHoldingService } from '../calls/lease-holding.service.js';
import { LeaseStandingsRepository } from '../calls/lease-standings.repository.js';
import { LeaseCallsWorker, LostLeasesService } from '../calls/lost-leases.service.js';
import { HeartbeatModule } from '../heartbeat/heartbeat.module.js';
import {
  CommentsAndLinksService,
  IssueReadingService,
  IssueWritingService,
} from '../platform-tools/issue-calls.service.js';
import { IssueFilesService } from '../platform-tools/issue-files.service.js';
import { IssuePagesService } from '../platform-tools/issue-pages.service.js';
import {
  CallingHolderService,
  LeaseArgumentsService,
  PlatformCallsService,
} from '../platform-tools/platform-calls.service.js';
import { AskingPeopleService, TakingWorkService } from '../platform-tools/work-calls.service.js';
import { AdmittedCallsService } from '../tool-calls/admitted-calls.service.js';
import { CallQuestionsService, HeldQuestionsService } from '../tool-calls/call-questions.service.js';
import { CallStartRuleService } from '../tool-calls/call-start-rule.service.js';
import { InputRoundsService } from '../tool-calls/input-rounds.service.js';
import { LeaseCallsService, LeaseCallStartService } from '../tool-calls/lease-calls.service.js';
import { OpenCallsService, ToolCallsService } from '../tool-calls/tool-calls.service.js';
import { AgentEndpointsService } from './agent-endpoints.service.js';
import { AgentServersService, OwnErrorsService } from './agent-servers.service.js';
import { AgentSessionsService } from './agent-sessions.service.js';
import { CallExchangesService } from './call-exchanges.service.js';
import { InstructionsService } from './instructions.service.js';
import { ConnectedAgentsService, ListChangesWorker, ValidKeysRepository } from './list-changes.worker.js';
import { McpEndpointController } from './mcp-endpoint.controller.js';
import { McpEndpointService, OriginRuleService } from './mcp-endpoint.service.js';
import { MethodsService } from './methods.service.js';
import { CompletionsService, PromptsService, ResourcesService } from './prompts-and-resources.service.js';
import { ResourceSubscriptionsService } from './resource-subscriptions.service.js';
import { ServerListsService, ServerRequestsService } from './server-lists.service.js';
import { SessionIdsService } from './session-ids.service.js';
import { ToolCallsMiddleware } from './tool-calls.middleware.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([IssueCallTurn, ToolApproval]),
    AccessModule,
    AgentToolsModule,
    AttachmentsModule,
    CommentsModule,
    HeartbeatModule,
    InstalledServersModule,
    GatesModule,
    GoalsModule,
    IssueStatusModule,
    IssuesModule,
    LinksModule,
    ProjectsModule,
    UsageModule,
    BudgetsModule,
  ],
  controllers: [McpEndpointController],
  providers: [
    McpEndpointService,
    OriginRuleService,
    InstructionsService,
    AgentServersService,
    MethodsService,
    TasksService,
    TaskWaitsWorker,
    CallQuestionsService,
    HeldQuestionsService,
    InputRoundsService,
    OwnErrorsService,
    AgentSessionsService,
    ResourceSubscriptionsService,
    SessionIdsService,
    AgentEndpointsService,
    ToolCallsMiddleware,
    CallRightsService,
    CallRightsRepository,
    CallExchangesService,
    AdmittedCallsService,
    CallStartRuleService,
    CallDecisionsService,
    ToolCallsService,
    ApprovalAnswersService,
    WaitingCallsService,
    CancelledElsewhereService,
    ApprovalParkingService,
    ApprovalRequestsService,
    DecisionWatchWorker,
    ExecutionWithoutCallerService,
    AbandonedCallsService,
    ApprovedCallRightsRepository,
    DueExecutionsWorker,
    ExecutionOnceService,
    ApprovedCallStartService,
    ApproverAndHintsRepository,
    { provide: getRepositoryToken(ToolApproval), useClass: ToolApprovalRepository },
    OpenCallsService,
    CallRecordsService,
    CallTurnsService,
    CallTurnsRepository,
    RecordBatchesWorker,
    ListChangesWorker,
    ConnectedAgentsService,
    ValidKeysRepository,
    ServerListsService,
    ServerRequestsService,
    PromptsService,
    ResourcesService,
    CompletionsService,
    CallingHolderService,
    LeaseArgumentsService,
    LeaseHoldingService,
    LeaseCallsService,
    LeaseCallsWorker,
    LeaseCallStartService,
    LeaseStandingsRepository,
    LostLeasesService,
    PlatformCallsService,
    IssuePagesService,
    AskingPeopleService,
    IssueFilesService,
    IssueReadingService,
    CommentsAndLinksService,
    IssueWritingService,
    TakingWorkService,
  ],
})
export class McpEndpointModule {}
