import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { keyChecksIn } from '../../platform/encryption/key-checks.js';
import { KEY_CHECK_STORE } from '../../platform/encryption/key-proof.js';
import { PackagesModule } from '../packages/packages.module.js';
import { ServerSupervisor } from '../processes/server-supervisor.js';
import { Credentials } from './credentials/credentials.js';
import { CredentialsRepository } from './credentials/credentials.repository.js';
import { InstallationService } from './installation.service.js';
import { InstalledServerEntity } from './installed-server.entity.js';
import { InstalledServersController } from './installed-servers.controller.js';
import { InstalledServersRepository } from './installed-servers.repository.js';
import { InstalledServersService } from './installed-servers.service.js';
import { ServerLogsController } from './logs/server-logs.controller.js';
import { ServerLogs } from './logs/server-logs.js';
import { NewServers } from './new-servers.js';
import { LiveServers } from './running/live-servers.js';
import { PackageRestorer } from './running/package-restorer.js';
import { ProcessNews } from './running/process-news.js';
import { PROCESS_SETTINGS, processSettings } from './running/process-settings.js';
import { ServerCalls } from './running/server-calls.js';
import { ServerDescriptions } from './running/server-descriptions.js';
import { ServerProcesses } from './running/server-processes.js';
import { ServerWork } from './running/server-work.js';
import { StrayProcesses } from './running/stray-processes.js';
import { supervisorProvider } from './running/supervisor.provider.js';
import { ServerRemovalService } from './server-removal.service.js';
import { ServerStatusService } from './server-status.service.js';
import { ServerToolsRepository } from './tools/server-tools.repository.js';
import { ToolCallRetention } from './tools/tool-call-retention.js';
import { ToolCallsRepository } from './tools/tool-calls.repository.js';
import { ToolListings } from './tools/tool-listings.js';
import { ToolSnapshots } from './tools/tool-snapshots.js';
import { TryOutController } from './tools/try-out.controller.js';
import { TryOutService } from './tools/try-out.service.js';
import { EntrySwap } from './upgrade/entry-swap.js';
import { UpgradePlans } from './upgrade/upgrade-plan.js';
import { UpgradeController } from './upgrade/upgrade.controller.js';
import { UpgradeService } from './upgrade/upgrade.service.js';
import { ServerVerifier } from './verification/server-verifier.js';
import { FirstListings } from './tools/first-listings.js';
import { ServerToolsController } from './tools/server-tools.controller.js';
import { ServerToolsService } from './tools/server-tools.service.js';
import { VerificationController } from './verification/verification.controller.js';
import { VerificationRecords } from './verification/verification-records.js';
import { VerificationService } from './verification/verification.service.js';
import { VerificationsRepository } from './verification/verifications.repository.js';

const keyCheckStore = {
  provide: KEY_CHECK_STORE,
  inject: [Database, CredentialsRepository],
  useFactory: (database: Database, credentials: CredentialsRepository) =>
    keyChecksIn(
      (sql, parameters) => database.rows(sql, parameters),
      () => credentials.exist(),
    ),
};

const running = [
  { provide: PROCESS_SETTINGS, inject: [Settings], useFactory: processSettings },
  supervisorProvider,
  ...[
    LiveServers,
    PackageRestorer,
    ProcessNews,
    ServerCalls,
    ServerDescriptions,
    ServerProcesses,
    ServerWork,
    StrayProcesses,
  ],
];

@Module({
  imports: [TypeOrmModule.forFeature([InstalledServerEntity]), PackagesModule],
  controllers: [
    ...[InstalledServersController, ServerLogsController, ServerToolsController],
    ...[TryOutController, UpgradeController, VerificationController],
  ],
  providers: [
    keyCheckStore,
    ...running,
    ...[Credentials, CredentialsRepository],
    ...[InstallationService, InstalledServersRepository, InstalledServersService, NewServers],
    ...[ServerLogs, ServerRemovalService, ServerStatusService],
    ...[
      FirstListings,
      ServerToolsRepository,
      ServerToolsService,
      ToolCallRetention,
      ToolCallsRepository,
      ToolListings,
      ToolSnapshots,
      TryOutService,
    ],
    ...[EntrySwap, UpgradePlans, UpgradeService],
    ...[ServerVerifier, VerificationRecords, VerificationService, VerificationsRepository],
  ],
  exports: [
    FirstListings,
    InstalledServersRepository,
    ProcessNews,
    ServerCalls,
    ServerDescriptions,
    ServerSupervisor,
    ToolCallsRepository,
  ],
})
export class InstalledServersModule {}
