import { Module } from '@nestjs/common';
import { AccessModule } from '../../mcp/access/access.module.js';
import { InstalledServersModule } from '../../mcp/installed-servers/installed-servers.module.js';
import { AttachmentsModule } from '../../work/attachments/attachments.module.js';
import { CommentsModule } from '../../work/comments/comments.module.js';
import { GatesModule } from '../../work/gates/gates.module.js';
import { GoalsModule } from '../../work/goals/goals.module.js';
import { IssuesModule } from '../../work/issues/issues.module.js';
import { ProjectsModule } from '../../work/projects/projects.module.js';
import { BudgetsModule } from '../../work/budgets/budgets.module.js';
import { UsageModule } from '../../work/usage/usage.module.js';
import { AgentToolsModule } from '../agent-tools/agent-tools.module.js';
import { HeartbeatModule } from '../heartbeat/heartbeat.module.js';
import { ApprovalAnswersService } from './approvals/approval-answers.service.js';
import { WaitingCallsService } from './approvals/waiting/waiting-calls.service.js';
import { CancelledElsewhereService } from './approvals/waiting/cancelled-elsewhere.service.js';
import { ApprovalParkingService } from './approvals/waiting/approval-parking.service.js';
import { ApprovalRequestsService } from './approvals/waiting/approval-requests.service.js';
import { DecisionWatchWorker } from './approvals/waiting/decision-watch.worker.js';
import { ExecutionWithoutCallerService } from './approvals/execution/execution-without-caller.service.js';
import { AbandonedCallsService } from './approvals/execution/abandoned-calls.service.js';
import { ApprovedCallRightsRepository } from './approvals/execution/approved-call-rights.repository.js';
import { DueExecutionsWorker } from './approvals/execution/due-executions.worker.js';
import { ExecutionOnceService } from './approvals/execution/execution-once.service.js';
import { ApprovedCallStartService } from './approvals/execution/approved-call-start.service.js';
import { ApproverAndHintsRepository } from './approvals/waiting/approver-and-hints.repository.js';
import { ApprovalPhasesRepository } from './approvals/approval-phases.repository.js';
import { ApprovalWatchRepository } from './approvals/approval-watch.repository.js';
import { ApprovalScopeRepository } from './approvals/approval-scope.repository.js';
import { CallTurnsRepository } from './call-records/call-turns.repository.js';
import { CallTurnsService } from './call-records/call-turns.service.js';
import { CallRecordsService } from './call-records/call-records.service.js';
import { RecordBatchesWorker } from './call-records/record-batches.worker.js';
import { ConnectedAgentsService } from './changes/connected-agents.service.js';
import { ListChangesWorker } from './changes/list-changes.worker.js';
import { ValidKeysRepository } from './changes/valid-keys.repository.js';
import { AdmittedCallsService } from './calls/admitted-calls.service.js';
import { CallStartRuleService } from './calls/call-start-rule.service.js';
import { CallDecisionsService } from './calls/call-decisions.service.js';
import { CallExchangesService } from './calls/call-exchanges.service.js';
import { CallRightsRepository } from './calls/call-rights.repository.js';
import { CallRightsService } from './calls/call-rights.service.js';
import { OpenCallsService } from './calls/open-calls.service.js';
import { ToolCallsMiddleware } from './calls/tool-calls.middleware.js';
import { ToolCallsService } from './calls/tool-calls.service.js';
import { InstructionsService } from './instructions.service.js';
import { CompletionsService } from './lists/completions.service.js';
import { PromptsService } from './lists/prompts.service.js';
import { ResourcesService } from './lists/resources.service.js';
import { ServerListsService } from './lists/server-lists.service.js';
import { ServerRequestsService } from './lists/server-requests.service.js';
import { LeaseCallsService } from './leases/lease-calls.service.js';
import { LeaseCallsWorker } from './leases/lease-calls.worker.js';
import { LeaseCallStartService } from './leases/lease-call-start.service.js';
import { LeaseStandingsRepository } from './leases/lease-standings.repository.js';
import { LostLeasesService } from './leases/lost-leases.service.js';
import { McpEndpointController } from './mcp-endpoint.controller.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { OriginRuleService } from './origin-rule.service.js';
import { IssuePagesService } from './platform-calls/issue-pages.service.js';
import { AskingPeopleService } from './platform-calls/asking-people.service.js';
import { IssueFilesService } from './platform-calls/issue-files.service.js';
import { IssueReadingService } from './platform-calls/issue-reading.service.js';
import { LeaseHoldingService } from './leases/lease-holding.service.js';
import { CallingHolderService } from './platform-calls/calling-holder.service.js';
import { LeaseArgumentsService } from './platform-calls/lease-arguments.service.js';
import { CommentsAndLinksService } from './platform-calls/comments-and-links.service.js';
import { IssueWritingService } from './platform-calls/issue-writing.service.js';
import { PlatformCallsService } from './platform-calls/platform-calls.service.js';
import { TakingWorkService } from './platform-calls/taking-work.service.js';
import { AgentServersService } from './protocol/agent-servers.service.js';
import { MethodsService } from './protocol/methods.service.js';
import { OwnErrorsService } from './protocol/own-errors.service.js';
import { AgentSessionsService } from './sessions/agent-sessions.service.js';
import { SessionIdsService } from './sessions/session-ids.service.js';
import { ResourceSubscriptionsService } from './sessions/resource-subscriptions.service.js';
import { CallQuestionsService } from './server-questions/call-questions.service.js';
import { HeldQuestionsService } from './server-questions/held-questions.service.js';
import { InputRoundsService } from './server-questions/input-rounds.service.js';
import { TaskWaitsWorker } from './tasks/task-waits.worker.js';
import { TasksService } from './tasks/tasks.service.js';
import { AgentEndpointsService } from './stateless/agent-endpoints.service.js';

@Module({
  imports: [
    AccessModule,
    AgentToolsModule,
    AttachmentsModule,
    CommentsModule,
    HeartbeatModule,
    InstalledServersModule,
    GatesModule,
    GoalsModule,
    IssuesModule,
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
    ApprovalPhasesRepository,
    ApprovalWatchRepository,
    ApprovalScopeRepository,
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
