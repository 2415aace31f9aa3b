import { Module } from '@nestjs/common';
import { InstalledServersModule } from '../installed-servers/installed-servers.module.js';
import { AccessRepository } from './access.repository.js';
import { AccessService } from './access.service.js';
import { AgentAccessController } from './agent-access.controller.js';
import { AgentToolsController } from './agent-tools.controller.js';
import { ServerAccessController } from './server-access.controller.js';
import { ToolAccess } from './tool-access.js';
import { ToolAccessRepository } from './tool-access.repository.js';

@Module({
  imports: [InstalledServersModule],
  controllers: [AgentAccessController, AgentToolsController, ServerAccessController],
  providers: [AccessRepository, AccessService, ToolAccess, ToolAccessRepository],
  exports: [ToolAccess],
})
export class AccessModule {}
