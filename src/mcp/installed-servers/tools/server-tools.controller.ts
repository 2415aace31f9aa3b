import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../../platform/auth/policy.js';
import { Refuses } from '../../../platform/http/problem/refuses.decorator.js';
import { ApproveToolsRequest } from '../dto/approve-tools.request.js';
import { ServerToolResponse } from '../dto/server-tool.response.js';
import { ServerToolsService } from './server-tools.service.js';

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id/tools')
export class ServerToolsController {
  constructor(private readonly tools: ServerToolsService) {}

  /**
   * The tools of the last listing, by name. Empty until the server is verified or an agent asks for its tools for the
   * first time.
   */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async list(@Param('id') id: string): Promise<ServerToolResponse[]> {
    return (await this.tools.list(id)).map(ServerToolResponse.from);
  }

  /** Approves changed and new tools as they are now, and deletes removed ones. */
  @Post('approve')
  @HttpCode(200)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async approve(@Param('id') id: string, @Body() body: ApproveToolsRequest): Promise<ServerToolResponse[]> {
    return (await this.tools.approve(id, body.names)).map(ServerToolResponse.from);
  }
}
