import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../../platform/auth/policy.js';
import { Refuses } from '../../../platform/http/problem/refuses.decorator.js';
import { ServerLogResponse } from '../dto/server-log.response.js';
import { InstalledServersService } from '../installed-servers.service.js';
import { ServerLogsService } from './server-logs.service.js';

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id/logs')
export class ServerLogsController {
  constructor(
    private readonly servers: InstalledServersService,
    private readonly logs: ServerLogsService,
  ) {}

  /**
   * The last stderr output of the server's processes and of its last verification, with secrets masked, from all
   * processes of the service.
   */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async get(@Param('id') id: string): Promise<ServerLogResponse> {
    const { row } = await this.servers.get(id);
    return ServerLogResponse.from(await this.logs.linesOf(row.id));
  }
}
