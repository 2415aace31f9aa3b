import { Module } from '@nestjs/common';
import { AccessModule } from '../../mcp/access/access.module.js';
import { InstalledServersModule } from '../../mcp/installed-servers/installed-servers.module.js';
import { AgentTools } from './agent-tools.js';
import { FirstListingWait } from './first-listing-wait.js';

@Module({
  imports: [AccessModule, InstalledServersModule],
  providers: [AgentTools, FirstListingWait],
  exports: [AgentTools],
})
export class AgentToolsModule {}
