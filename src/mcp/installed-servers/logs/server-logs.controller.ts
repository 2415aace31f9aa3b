import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../../platform/auth/policy.js';
import { Refuses } from '../../../platform/http/refuses.decorator.js';
import { ServerLogResponse } from '../dto/server-log.response.js';
import { InstalledServersService } from '../installed-servers.service.js';
import { ServerLogs } from './server-logs.js';

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id/logs')
export class ServerLogsController {
  constructor(
    private readonly servers: InstalledServersService,
    private readonly logs: ServerLogs,
  ) {}

  /** What its processes and its last verification wrote to stderr last, secrets masked. Kept in memory. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async get(@Param('id') id: string): Promise<ServerLogResponse> {
    const { row } = await this.servers.get(id);
    return ServerLogResponse.from(this.logs.linesOf(row.id));
  }
}
