import { Module, type DynamicModule } from '@nestjs/common';
import { AgentsModule } from './agents/agents.module.js';
import { InstalledServersModule } from './mcp/installed-servers/installed-servers.module.js';
import { AuthModule } from './platform/auth/auth.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { Settings } from './platform/config/settings.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { EncryptionModule } from './platform/encryption/encryption.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { IdempotencyModule } from './platform/http/idempotency/idempotency.module.js';
import { JournalModule } from './platform/journal/journal.module.js';
import { IssuesModule } from './work/issues/issues.module.js';
import { LinksModule } from './work/links/links.module.js';
import { ProjectsModule } from './work/projects/projects.module.js';

/** The list of modules, floor by floor. */
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
        JournalModule,
        AuthModule,
        IdempotencyModule,
        HealthModule,
        AgentsModule,
        InstalledServersModule,
        ProjectsModule,
        IssuesModule,
        LinksModule,
      ],
    };
  }
}
