import { Module } from '@nestjs/common';
import { AccessModule } from '../../mcp/access/access.module.js';
import { ServerProcessesModule } from '../../mcp/server-processes/server-processes.module.js';
import { ToolsHostsModule } from '../../mcp/tools-hosts/tools-hosts.module.js';
import { IssueStatusModule } from '../../work/issue-status/issue-status.module.js';
import { LeasesModule } from '../../work/leases/leases.module.js';
import { AgentToolsModule } from '../agent-tools/agent-tools.module.js';
import { ApprovalsModule } from '../approvals/approvals.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { ServerOffersModule } from '../server-offers/server-offers.module.js';
import { ToolCallsModule } from '../tool-calls/tool-calls.module.js';
import { AgentEndpointsService } from './agent-endpoints.service.js';
import { AgentServersService, MethodsService } from './agent-server-methods.service.js';
import { AgentSessionsService } from './agent-sessions.service.js';
import { CallExchangesService } from './call-exchanges.service.js';
import { InstructionsService } from './instructions.service.js';
import { ConnectedAgentsService, ListChangesWorker } from './list-changes.worker.js';
import { McpEndpointController } from './mcp-endpoint.controller.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { ResourceSubscriptionsService } from './resource-subscriptions.service.js';
import { SessionLogsService } from './session-logs.service.js';
import { SessionIdsService } from './session-ids.service.js';
import { SessionRelayService } from './session-relay.service.js';
import { ToolCallsMiddleware } from './tool-calls.middleware.js';

/** The endpoint at which agents use tools, in both eras of MCP (contract §7). */
@Module({
  imports: [
    AccessModule,
    AgentToolsModule,
    ApprovalsModule,
    CallsModule,
    IssueStatusModule,
    LeasesModule,
    ServerOffersModule,
    ServerProcessesModule,
    ToolCallsModule,
    ToolsHostsModule,
  ],
  controllers: [McpEndpointController],
  providers: [
    AgentEndpointsService,
    AgentServersService,
    AgentSessionsService,
    CallExchangesService,
    ConnectedAgentsService,
    InstructionsService,
    ListChangesWorker,
    McpEndpointService,
    MethodsService,
    ResourceSubscriptionsService,
    SessionLogsService,
    SessionIdsService,
    SessionRelayService,
    ToolCallsMiddleware,
  ],
})
export class McpEndpointModule {}
