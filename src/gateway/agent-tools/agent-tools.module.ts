import { Module } from '@nestjs/common';
import { AccessModule } from '../../mcp/access/access.module.js';
import { InstalledServersModule } from '../../mcp/installed-servers/installed-servers.module.js';
import { AgentToolsService } from './agent-tools.service.js';

@Module({
  imports: [AccessModule, InstalledServersModule],
  providers: [AgentToolsService],
  exports: [AgentToolsService],
})
export class AgentToolsModule {}
