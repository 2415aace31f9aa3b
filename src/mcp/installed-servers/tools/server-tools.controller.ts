import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../../platform/auth/policy.js';
import { Refuses } from '../../../platform/http/refuses.decorator.js';
import { ApproveToolsRequest } from '../dto/approve-tools.request.js';
import { ServerToolResponse } from '../dto/server-tool.response.js';
import { ServerToolsService } from './server-tools.service.js';

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id/tools')
export class ServerToolsController {
  constructor(private readonly tools: ServerToolsService) {}

  /** The tools as they were last listed, by name; empty until the server was verified or an agent has asked for its tools. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async list(@Param('id') id: string): Promise<ServerToolResponse[]> {
    return (await this.tools.list(id)).map(ServerToolResponse.from);
  }

  /** Gives changed and new tools to agents as they are now, and forgets removed ones. */
  @Post('approve')
  @HttpCode(200)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async approve(@Param('id') id: string, @Body() body: ApproveToolsRequest): Promise<ServerToolResponse[]> {
    return (await this.tools.approve(id, body.names)).map(ServerToolResponse.from);
  }
}
