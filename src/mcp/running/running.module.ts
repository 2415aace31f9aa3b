import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { OauthModule } from '../oauth/oauth.module.js';
import { PackagesModule } from '../packages/packages.module.js';
import { ServerProcessesModule } from '../server-processes/server-processes.module.js';
import { ServerRecordsModule } from '../server-records/server-records.module.js';
import { ToolsHostsModule } from '../tools-hosts/tools-hosts.module.js';
import { InstalledServerClient } from './installed-server.client.js';
import { ProcessReconcilerWorker } from './process-reconciler.worker.js';
import {
  PackageRestoreService,
  ServerDescriptionsService,
} from './server-descriptions-and-package-locks.service.js';
import { ServerLogLines } from '../server-records/server-records.entities.js';
import { ServerLogLinesRepository, ServerLogsService, ServerLogsWorker } from './server-logs.service.js';

/** Describes installed servers to the supervisor, calls them, and keeps what they log. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ServerLogLines]),
    CredentialsModule,
    OauthModule,
    PackagesModule,
    ServerProcessesModule,
    ServerRecordsModule,
    ToolsHostsModule,
  ],
  providers: [
    InstalledServerClient,
    PackageRestoreService,
    ProcessReconcilerWorker,
    ServerDescriptionsService,
    ServerLogLinesRepository,
    { provide: getRepositoryToken(ServerLogLines), useExisting: ServerLogLinesRepository },
    ServerLogsService,
    ServerLogsWorker,
  ],
  exports: [InstalledServerClient, PackageRestoreService, ServerDescriptionsService, ServerLogsService],
})
export class RunningModule {}
