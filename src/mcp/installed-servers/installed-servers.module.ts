import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { OauthModule } from '../oauth/oauth.module.js';
import { PackagesModule } from '../packages/packages.module.js';
import { RunningModule } from '../running/running.module.js';
import { ServerProcessesModule } from '../server-processes/server-processes.module.js';
import { ServerRecordsModule } from '../server-records/server-records.module.js';
import { ServerToolsModule } from '../server-tools/server-tools.module.js';
import { ToolsHostsModule } from '../tools-hosts/tools-hosts.module.js';
import { InstallationService } from './installation.service.js';
import {
  InstalledServersController,
  ServerLogsController,
  UpgradeController,
  VerificationController,
} from './installed-servers.controller.js';
import {
  InstalledServersService,
  ServerRemovalService,
  ServerStatusService,
} from './installed-servers-status-removal.service.js';
import { ServerVerification } from '../server-records/server-records.entities.js';
import { ServerVerifierService } from './server-verifier-and-credential-probe.service.js';
import { UpgradePlansService } from './upgrade-plans.service.js';
import { EntrySwapService, UpgradeService } from './upgrade.service.js';
import { VerificationService } from './verification.service.js';

/** Installs, verifies, upgrades and removes servers. It exports what the modules below it give to those above. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ServerVerification]),
    CredentialsModule,
    OauthModule,
    PackagesModule,
    RunningModule,
    ServerProcessesModule,
    ServerRecordsModule,
    ServerToolsModule,
    ToolsHostsModule,
  ],
  controllers: [InstalledServersController, ServerLogsController, UpgradeController, VerificationController],
  providers: [
    EntrySwapService,
    InstallationService,
    InstalledServersService,
    ServerRemovalService,
    ServerStatusService,
    ServerVerifierService,
    UpgradePlansService,
    UpgradeService,
    VerificationService,
  ],
  exports: [
    RunningModule,
    ServerProcessesModule,
    ServerRecordsModule,
    ServerToolsModule,
    ToolsHostsModule,
    InstallationService,
    UpgradeService,
    VerificationService,
  ],
})
export class InstalledServersModule {}
