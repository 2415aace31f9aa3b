import { Module } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { keyChecksIn } from '../../platform/encryption/key-checks.js';
import { KEY_CHECK_STORE } from '../../platform/encryption/key-proof.js';
import { PackagesModule } from '../packages/packages.module.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import { CredentialSetFailuresService } from './credential-sets/credential-set-failures.service.js';
import { CredentialSetsController } from './credential-sets/credential-sets.controller.js';
import { CredentialSetsRepository } from './credential-sets/credential-sets.repository.js';
import { CredentialSetsService } from './credential-sets/credential-sets.service.js';
import { CredentialValuesService } from './credential-sets/credential-values.service.js';
import { CredentialsService } from './credentials/credentials.service.js';
import { CredentialsRepository } from './credentials/credentials.repository.js';
import { InstallationService } from './installation.service.js';
import { AnnouncementWorker } from './hosts/announcement.worker.js';
import { HostEventsWorker } from './hosts/host-events.worker.js';
import { HostOperationsService } from './hosts/host-operations.service.js';
import { HostsWiringService } from './hosts/hosts-wiring.service.js';
import { InternalKeysService } from './hosts/internal-keys.service.js';
import { LiveHostsService } from './hosts/live-hosts.service.js';
import { ProcessClaimsService } from './hosts/process-claims.service.js';
import { ToolsEndpointWorker } from './hosts/tools-endpoint.worker.js';
import { ToolsHostsClient } from './hosts/tools-hosts.client.js';
import { ToolsHostsRepository } from './hosts/tools-hosts.repository.js';
import { CallStartsService } from './running/call-starts.service.js';
import { InstalledServersController } from './installed-servers.controller.js';
import { InstalledServersRepository } from './installed-servers.repository.js';
import { InstalledServersService } from './installed-servers.service.js';
import { ServerLogsController } from './logs/server-logs.controller.js';
import { ServerLogLinesRepository } from './logs/server-log-lines.repository.js';
import { ServerLogsWorker } from './logs/server-logs.worker.js';
import { ServerLogsService } from './logs/server-logs.service.js';
import { NewServersService } from './new-servers.service.js';
import { CredentialSetSignInController } from './oauth/sign-in/credential-set-sign-in.controller.js';
import { oauthProviders } from './oauth/oauth-providers.js';
import { OauthController } from './oauth/sign-in/oauth.controller.js';
import { ProcessControlService } from './running/process-control.service.js';
import { PackageRestoreService } from './running/package-restore.service.js';
import { ProcessEventsService } from './running/process-events.service.js';
import { PROCESS_SETTINGS, processSettings } from './running/process-settings.js';
import { InstalledServerClient } from './running/installed-server.client.js';
import { ServerDescriptionsService } from './running/server-descriptions.service.js';
import { SupervisorLifecycleService } from './running/supervisor-lifecycle.service.js';
import { CancellableWorkService } from './running/cancellable-work.service.js';
import { ProcessReconcilerWorker } from './running/process-reconciler.worker.js';
import { supervisorProvider } from './running/supervisor.provider.js';
import { ServerRemovalService } from './server-removal.service.js';
import { ServerStatusService } from './server-status.service.js';
import { DefinitionChecksWorker } from './tools/definition-checks.worker.js';
import { ServerToolsRepository } from './tools/server-tools.repository.js';
import { ToolCallRetentionWorker } from './tools/tool-call-retention.worker.js';
import { ToolCallsRepository } from './tools/tool-calls.repository.js';
import { ToolListingsService } from './tools/tool-listings.service.js';
import { ToolChangesService } from './tools/tool-changes.service.js';
import { TryOutController } from './tools/try-out.controller.js';
import { TryOutService } from './tools/try-out.service.js';
import { EntrySwapService } from './upgrade/entry-swap.service.js';
import { UpgradePlansService } from './upgrade/upgrade-plans.service.js';
import { UpgradeController } from './upgrade/upgrade.controller.js';
import { UpgradeService } from './upgrade/upgrade.service.js';
import { ServerVerifierService } from './verification/server-verifier.service.js';
import { FirstListingsService } from './tools/first-listings.service.js';
import { ServerToolsController } from './tools/server-tools.controller.js';
import { ServerToolsService } from './tools/server-tools.service.js';
import { VerificationController } from './verification/verification.controller.js';
import { VerificationRecordsService } from './verification/verification-records.service.js';
import { VerificationService } from './verification/verification.service.js';
import { VerificationsRepository } from './verification/verifications.repository.js';

const keyCheckStore = {
  provide: KEY_CHECK_STORE,
  inject: [DatabaseService, CredentialsRepository],
  useFactory: (database: DatabaseService, credentials: CredentialsRepository) =>
    keyChecksIn(
      (sql, parameters) => database.rows(sql, parameters),
      () => credentials.exist(),
    ),
};

const processProviders = [
  { provide: PROCESS_SETTINGS, inject: [Settings], useFactory: processSettings },
  supervisorProvider,
  CallStartsService,
  CancellableWorkService,
  InstalledServerClient,
  PackageRestoreService,
  ProcessControlService,
  ProcessEventsService,
  ProcessReconcilerWorker,
  ServerDescriptionsService,
  SupervisorLifecycleService,
];

/** What connects the processes of the roles api and tools. */
const hostProviders = [
  AnnouncementWorker,
  HostEventsWorker,
  HostOperationsService,
  HostsWiringService,
  InternalKeysService,
  LiveHostsService,
  ProcessClaimsService,
  ToolsEndpointWorker,
  ToolsHostsClient,
  ToolsHostsRepository,
];

const toolProviders = [
  FirstListingsService,
  DefinitionChecksWorker,
  ServerToolsRepository,
  ServerToolsService,
  ToolCallRetentionWorker,
  ToolCallsRepository,
  ToolListingsService,
  ToolChangesService,
  TryOutService,
];

@Module({
  imports: [PackagesModule],
  controllers: [
    CredentialSetSignInController,
    CredentialSetsController,
    InstalledServersController,
    OauthController,
    ServerLogsController,
    ServerToolsController,
    TryOutController,
    UpgradeController,
    VerificationController,
  ],
  providers: [
    keyCheckStore,
    CredentialSetFailuresService,
    CredentialSetsRepository,
    CredentialSetsService,
    CredentialValuesService,
    CredentialsService,
    CredentialsRepository,
    InstallationService,
    InstalledServersRepository,
    InstalledServersService,
    NewServersService,
    ServerLogLinesRepository,
    ServerLogsService,
    ServerLogsWorker,
    ServerRemovalService,
    ServerStatusService,
    ...processProviders,
    ...hostProviders,
    ...oauthProviders,
    ...toolProviders,
    EntrySwapService,
    UpgradePlansService,
    UpgradeService,
    ServerVerifierService,
    VerificationRecordsService,
    VerificationService,
    VerificationsRepository,
  ],
  exports: [
    CallStartsService,
    FirstListingsService,
    InstalledServerClient,
    InstalledServersRepository,
    ProcessEventsService,
    ServerDescriptionsService,
    ServerSupervisor,
    ToolCallsRepository,
  ],
})
export class InstalledServersModule {}
