import { Module } from '@nestjs/common';
import { getDataSourceToken, getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { OauthClient, OauthGrant, OauthSignIn, OauthToken } from '../oauth/oauth.entities.js';
import { ServerCredential } from '../credentials/server-credential.entity.js';
import { CredentialSet, InstalledServer } from '../server-records/server-records.entities.js';
import { ServerVerification } from './server-verification.entity.js';
import { ServerTool, ToolCall } from '../server-tools/tool.entities.js';
import { ServerLogLines } from '../running/server-log-lines.entity.js';
import { ToolsHost } from '../tools-hosts/tools-host.entity.js';
import { Settings } from '../../platform/config/settings.js';
import { KEY_CHECK_STORE, keyChecksIn } from '../../platform/encryption/key-proof.js';
import { CredentialSetsController } from '../credentials/credential-sets.controller.js';
import {
  CredentialSetFailuresService,
  CredentialSetsService,
} from '../credentials/credential-sets.service.js';
import {
  CredentialsService,
  CredentialValuesService,
  holdsSealedValues,
} from '../credentials/credentials.service.js';
import { PackagesModule } from '../packages/packages.module.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import { InstalledServerClient } from '../running/installed-server.client.js';
import { ProcessReconcilerWorker } from '../running/process-reconciler.worker.js';
import { PackageRestoreService, ServerDescriptionsService } from '../running/server-descriptions.service.js';
import {
  ServerLogLinesRepository,
  ServerLogsService,
  ServerLogsWorker,
} from '../running/server-logs.service.js';
import { CancellableWorkService } from '../server-processes/cancellable-work.service.js';
import { ProcessControlService } from '../server-processes/process-control.service.js';
import { ProcessEventsService } from '../server-processes/process-events.service.js';
import {
  PROCESS_SETTINGS,
  processSettings,
  SupervisorLifecycleService,
  supervisorProvider,
} from '../server-processes/supervisor.provider.js';
import { CredentialSetRepository } from '../server-records/credential-set.repository.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import { DefinitionChecksWorker } from '../server-tools/definition-checks.worker.js';
import { ServerToolRepository } from '../server-tools/server-tool.repository.js';
import { ServerToolsController, TryOutController } from '../server-tools/server-tools.controller.js';
import { ServerToolsService } from '../server-tools/server-tools.service.js';
import { ToolCallRepository, ToolCallRetentionWorker } from '../server-tools/tool-call.repository.js';
import { ToolChangesService } from '../server-tools/tool-changes.service.js';
import { FirstListingsService, ToolListingsService } from '../server-tools/tool-listings.service.js';
import { TryOutService } from '../server-tools/try-out.service.js';
import { CredentialSetSignInController } from '../sign-in/credential-set-sign-in.controller.js';
import { oauthProviders } from '../sign-in/oauth-providers.js';
import { OauthController } from '../sign-in/oauth.controller.js';
import { AnnouncementWorker } from '../tools-endpoint/announcement.worker.js';
import { HostEventsWorker } from '../tools-endpoint/host-events.worker.js';
import { HostOperationsService, HostsWiringService } from '../tools-endpoint/host-operations.service.js';
import { ToolsEndpointWorker } from '../tools-endpoint/tools-endpoint.worker.js';
import { CallStartsService } from '../tools-hosts/call-starts.service.js';
import { InternalKeysService } from '../tools-hosts/internal-keys.service.js';
import { LiveHostsService } from '../tools-hosts/live-hosts.service.js';
import { ProcessClaimsService } from '../tools-hosts/process-claims.service.js';
import { ToolsHostsClient } from '../tools-hosts/tools-hosts.client.js';
import { InstallationService, NewServersService } from './installation.service.js';
import { InstalledServersController } from './installed-servers.controller.js';
import {
  InstalledServersService,
  ServerRemovalService,
  ServerStatusService,
} from './installed-servers.service.js';
import { ServerLogsController } from './server-logs.controller.js';
import { ServerVerifierService } from './server-verifier.service.js';
import { UpgradePlansService } from './upgrade-plans.service.js';
import { UpgradeController } from './upgrade.controller.js';
import { EntrySwapService, UpgradeService } from './upgrade.service.js';
import { VerificationController } from './verification.controller.js';
import { VerificationService } from './verification.service.js';

const keyCheckStore = {
  provide: KEY_CHECK_STORE,
  inject: [getDataSourceToken()],
  useFactory: (source: DataSource) =>
    keyChecksIn(
      (sql, parameters) => source.query(sql, parameters),
      () => holdsSealedValues(source),
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
];

const toolProviders = [
  FirstListingsService,
  DefinitionChecksWorker,
  ServerToolRepository,
  { provide: getRepositoryToken(ServerTool), useExisting: ServerToolRepository },
  ServerToolsService,
  ToolCallRetentionWorker,
  ToolCallRepository,
  { provide: getRepositoryToken(ToolCall), useExisting: ToolCallRepository },
  ToolListingsService,
  ToolChangesService,
  TryOutService,
];

@Module({
  imports: [
    TypeOrmModule.forFeature([
      CredentialSet,
      InstalledServer,
      OauthClient,
      OauthGrant,
      OauthSignIn,
      OauthToken,
      ServerCredential,
      ServerLogLines,
      ServerTool,
      ServerVerification,
      ToolCall,
      ToolsHost,
    ]),
    PackagesModule,
  ],
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
    CredentialSetRepository,
    { provide: getRepositoryToken(CredentialSet), useExisting: CredentialSetRepository },
    CredentialSetsService,
    CredentialValuesService,
    CredentialsService,
    InstallationService,
    InstalledServerRepository,
    { provide: getRepositoryToken(InstalledServer), useExisting: InstalledServerRepository },
    InstalledServersService,
    NewServersService,
    ServerLogLinesRepository,
    { provide: getRepositoryToken(ServerLogLines), useExisting: ServerLogLinesRepository },
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
    VerificationService,
  ],
  exports: [
    TypeOrmModule,
    CallStartsService,
    FirstListingsService,
    InstalledServerClient,
    InstalledServerRepository,
    ProcessEventsService,
    ServerDescriptionsService,
    ServerSupervisor,
    ToolCallRepository,
  ],
})
export class InstalledServersModule {}
