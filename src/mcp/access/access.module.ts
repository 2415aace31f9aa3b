import { Module } from '@nestjs/common';
import { InstalledServersModule } from '../installed-servers/installed-servers.module.js';
import { AccessMatrixController } from './access-matrix.controller.js';
import { AccessMatrixRepository } from './access-matrix.repository.js';
import { AccessRepository } from './access.repository.js';
import { AccessService } from './access.service.js';
import { AgentAccessController } from './agent-access.controller.js';
import { AgentToolsController } from './agent-tools.controller.js';
import { OfferedServersRepository } from './offered-servers.repository.js';
import { ProfilesController } from './profiles/profiles.controller.js';
import { ProfilesRepository } from './profiles/profiles.repository.js';
import { ProfilesService } from './profiles/profiles.service.js';
import { ServerAccessController } from './server-access.controller.js';
import { ToolAccessService } from './tool-access.service.js';
import { ToolAccessRepository } from './tool-access.repository.js';

@Module({
  imports: [InstalledServersModule],
  controllers: [
    AccessMatrixController,
    AgentAccessController,
    AgentToolsController,
    ProfilesController,
    ServerAccessController,
  ],
  providers: [
    AccessMatrixRepository,
    AccessRepository,
    AccessService,
    OfferedServersRepository,
    ProfilesRepository,
    ProfilesService,
    ToolAccessService,
    ToolAccessRepository,
  ],
  exports: [OfferedServersRepository, ToolAccessService],
})
export class AccessModule {}
