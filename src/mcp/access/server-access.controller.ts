import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../platform/auth/policy.js';
import { Refuses } from '../../platform/http/problem/refuses.decorator.js';
import { AccessService } from './access.service.js';
import { ServerAccessResponse } from './dto/access.response.js';
import { SetServerAccessRequest } from './dto/set-access.request.js';

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id/access')
export class ServerAccessController {
  constructor(private readonly access: AccessService) {}

  /** Returns a row for every agent. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async list(@Param('id') id: string): Promise<ServerAccessResponse[]> {
    return (await this.access.ofServer(id)).map(ServerAccessResponse.from);
  }

  /** Merges: agents that the request does not name keep their access. All entries apply or none, at once. */
  @Put()
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async set(@Param('id') id: string, @Body() body: SetServerAccessRequest): Promise<ServerAccessResponse[]> {
    const entries = body.entries.map(({ agentId, ...change }) => ({ ...change, id: agentId }));
    return (await this.access.setOfServer(id, entries)).map(ServerAccessResponse.from);
  }
}
