import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../platform/authentication/policy.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { ServerLogsService } from '../running/server-logs.service.js';
import { InstalledServersService } from './installed-servers.service.js';
import { ServerLogResponse } from './server-log.response.js';

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
