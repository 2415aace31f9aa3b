import { Module } from '@nestjs/common';
import { AccessModule } from '../../mcp/access/access.module.js';
import { InstalledServersModule } from '../../mcp/installed-servers/installed-servers.module.js';
import { CommentsModule } from '../../work/comments/comments.module.js';
import { IssuesModule } from '../../work/issues/issues.module.js';
import { ProjectsModule } from '../../work/projects/projects.module.js';
import { AgentToolsModule } from '../agent-tools/agent-tools.module.js';
import { HeartbeatModule } from '../heartbeat/heartbeat.module.js';
import { CallIssues } from './call-records/call-issues.js';
import { CallIssuesRepository } from './call-records/call-issues.repository.js';
import { CallRecords } from './call-records/call-records.js';
import { RecordBatches } from './call-records/record-batches.js';
import { Audience } from './changes/audience.js';
import { JournalNewsRepository } from './changes/journal-news.repository.js';
import { JournalNews } from './changes/journal-news.js';
import { ListWatch } from './changes/list-watch.js';
import { ValidKeysRepository } from './changes/valid-keys.repository.js';
import { ToolCalls } from './calls/tool-calls.js';
import { CallRights } from './direct/call-rights.js';
import { CallRightsRepository } from './direct/call-rights.repository.js';
import { DirectCalls } from './direct/direct-calls.js';
import { FastLane } from './direct/fast-lane.js';
import { Instructions } from './instructions.js';
import { Completions } from './lists/completions.js';
import { Prompts } from './lists/prompts.js';
import { Resources } from './lists/resources.js';
import { ServerLists } from './lists/server-lists.js';
import { ServerRequests } from './lists/server-requests.js';
import { McpEndpointController } from './mcp-endpoint.controller.js';
import { McpEndpoint } from './mcp-endpoint.js';
import { OriginRule } from './origin-rule.js';
import { Discussion } from './platform-calls/discussion.js';
import { IssueReading } from './platform-calls/issue-reading.js';
import { IssueRemarks } from './platform-calls/issue-remarks.js';
import { IssueWriting } from './platform-calls/issue-writing.js';
import { PlatformCalls } from './platform-calls/platform-calls.js';
import { TakingWork } from './platform-calls/taking-work.js';
import { AgentServers } from './protocol/agent-servers.js';
import { Methods } from './protocol/methods.js';
import { OwnFaults } from './protocol/own-faults.js';
import { AgentSessions } from './sessions/agent-sessions.js';
import { ResourceSubscriptions } from './sessions/resource-subscriptions.js';
import { ShortMcpEndpointController } from './short-mcp-endpoint.controller.js';
import { AgentEndpoints } from './stateless/agent-endpoints.js';

@Module({
  imports: [
    AccessModule,
    AgentToolsModule,
    CommentsModule,
    HeartbeatModule,
    InstalledServersModule,
    IssuesModule,
    ProjectsModule,
  ],
  controllers: [McpEndpointController, ShortMcpEndpointController],
  providers: [
    ...[McpEndpoint, OriginRule, Instructions],
    ...[AgentServers, Methods, OwnFaults, AgentSessions, ResourceSubscriptions, AgentEndpoints],
    ...[FastLane, DirectCalls, CallRights, CallRightsRepository],
    ...[ToolCalls, CallIssues, CallIssuesRepository, CallRecords, RecordBatches],
    ...[ListWatch, JournalNews, JournalNewsRepository, Audience, ValidKeysRepository],
    ...[ServerLists, ServerRequests, Prompts, Resources, Completions],
    ...[PlatformCalls, Discussion, IssueReading, IssueRemarks, IssueWriting, TakingWork],
  ],
})
export class McpEndpointModule {}
