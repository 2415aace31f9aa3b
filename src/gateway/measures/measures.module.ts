import { Module } from '@nestjs/common';
import { InstalledServersModule } from '../../mcp/installed-servers/installed-servers.module.js';
import { McpMeasures } from './mcp-measures.js';
import { WorkMeasuresRepository } from './work-measures.repository.js';
import { WorkMeasures } from './work-measures.js';

/** What /metrics tells of the floors below. */
@Module({
  imports: [InstalledServersModule],
  providers: [McpMeasures, WorkMeasures, WorkMeasuresRepository],
})
export class MeasuresModule {}
