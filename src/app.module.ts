import { type DynamicModule, Module } from '@nestjs/common';
import { AgentsModule } from './agents/agents.module.js';
import { AttentionModule } from './gateway/attention/attention.module.js';
import { CallHistoryModule } from './gateway/call-history/call-history.module.js';
import { FleetModule } from './gateway/fleet/fleet.module.js';
import { HeartbeatModule } from './gateway/heartbeat/heartbeat.module.js';
import { McpEndpointModule } from './gateway/mcp-protocol/mcp-endpoint.module.js';
import { MetricsModule } from './gateway/metrics/metrics.module.js';
import { EventStreamModule } from './gateway/event-stream/event-stream.module.js';
import { WebhooksModule } from './gateway/webhooks/webhooks.module.js';
import { AccessModule } from './mcp/access/access.module.js';
import { CatalogImportsModule } from './mcp/catalog-imports/catalog-imports.module.js';
import { CatalogModule } from './mcp/catalog/catalog.module.js';
import { InstalledServersModule } from './mcp/installed-servers/installed-servers.module.js';
import { RuntimeModule } from './mcp/runtime/runtime.module.js';
import { HostEnvironment, RuntimeService } from './mcp/runtime/runtime.service.js';
import { SignInModule } from './mcp/sign-in/sign-in.module.js';
import { ToolsEndpointModule } from './mcp/tools-endpoint/tools-endpoint.module.js';
import { AuditModule } from './platform/audit/audit.module.js';
import { AuthenticationModule } from './platform/authentication/authentication.module.js';
import { PasswordsModule } from './platform/passwords/passwords.module.js';
import { ChoresModule } from './platform/chores/chores.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import { hostVariables } from './platform/config/load-settings.js';
import type { Settings } from './platform/config/settings.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { EncryptionModule } from './platform/encryption/encryption.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { IdempotencyModule } from './platform/idempotency/idempotency.module.js';
import { InfoModule } from './platform/info/info.module.js';
import { JournalModule } from './platform/journal/journal.module.js';
import { OidcModule } from './platform/oidc/oidc.module.js';
import { PartitionsModule } from './platform/partitions/partitions.module.js';
import { UsersModule } from './platform/users/users.module.js';
import { AttachmentsModule } from './work/attachments/attachments.module.js';
import { BudgetsModule } from './work/budgets/budgets.module.js';
import { CodeModule } from './work/code/code.module.js';
import { CommentsModule } from './work/comments/comments.module.js';
import { GatesModule } from './work/gates/gates.module.js';
import { GoalsModule } from './work/goals/goals.module.js';
import { ImportsModule } from './work/imports/imports.module.js';
import { IssueStatusModule } from './work/issue-status/issue-status.module.js';
import { IssuesModule } from './work/issues/issues.module.js';
import { LabelsModule } from './work/labels/labels.module.js';
import { LinksModule } from './work/links/links.module.js';
import { PlansModule } from './work/plans/plans.module.js';
import { ProjectsModule } from './work/projects/projects.module.js';
import { RunsModule } from './work/runs/runs.module.js';
import { SchedulesModule } from './work/schedules/schedules.module.js';
import { UsageModule } from './work/usage/usage.module.js';
import { ViewsModule } from './work/views/views.module.js';

/** The modules, layer by layer. */
@Module({})
export class AppModule {
  /** @param databaseUrl of a database whose migrations have run */
  static with(settings: Settings, databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(settings),
        DatabaseModule.at(databaseUrl),
        HttpModule.with(settings),
        EncryptionModule,
        ChoresModule,
        PartitionsModule,
        JournalModule,
        AuthenticationModule,
        PasswordsModule,
        UsersModule,
        OidcModule,
        IdempotencyModule,
        AuditModule,
        HealthModule,
        InfoModule,
        AgentsModule,
        RuntimeModule.with(new HostEnvironment(hostVariables())),
        CatalogImportsModule,
        CatalogModule.with(RuntimeService),
        InstalledServersModule,
        SignInModule,
        ToolsEndpointModule,
        AccessModule,
        ProjectsModule,
        GoalsModule,
        IssueStatusModule,
        LinksModule,
        LabelsModule,
        ViewsModule,
        IssuesModule,
        PlansModule,
        ImportsModule,
        CodeModule,
        SchedulesModule,
        GatesModule,
        CommentsModule,
        AttachmentsModule,
        RunsModule,
        UsageModule,
        BudgetsModule,
        HeartbeatModule,
        McpEndpointModule,
        CallHistoryModule,
        EventStreamModule,
        WebhooksModule,
        AttentionModule,
        FleetModule,
        MetricsModule,
      ],
    };
  }
}
