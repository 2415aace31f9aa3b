import { Module } from '@nestjs/common';
import { AccessModule } from '../../mcp/access/access.module.js';
import { InstalledServersModule } from '../../mcp/installed-servers/installed-servers.module.js';
import { AgentTools } from './agent-tools.js';

@Module({
  imports: [AccessModule, InstalledServersModule],
  providers: [AgentTools],
  exports: [AgentTools],
})
export class AgentToolsModule {}
