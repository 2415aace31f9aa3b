import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { IdempotentAfterwards, KeepsDigits, Refuses } from '../../platform/http/route.decorators.js';
import { withNumbers } from '../../platform/json/exact-json.js';
import {
  ApproveToolsRequest,
  CallToolRequest,
  ServerToolResponse,
  ToolResultResponse,
} from './server-tool.dto.js';
import { ServerToolsService, TryOutService } from './server-tools-approval-and-try-out.service.js';
import { ToolArguments } from './call-arguments-outcomes-reasons.js';

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id/tools/:toolName/call')
export class TryOutController {
  constructor(private readonly tryOut: TryOutService) {}

  /** Calls a tool to try it out; the call is recorded like an agent's. */
  @Post()
  @KeepsDigits()
  @IdempotentAfterwards()
  @HttpCode(200)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async call(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('toolName') toolName: string,
    @Body() body: CallToolRequest,
  ): Promise<ToolResultResponse> {
    const args = ToolArguments.of(withNumbers(body.arguments ?? {}));
    return ToolResultResponse.from(await this.tryOut.call(caller, id, toolName, args));
  }
}

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
  @Refuses('not_found', 'version_mismatch')
  async approve(@Param('id') id: string, @Body() body: ApproveToolsRequest): Promise<ServerToolResponse[]> {
    return (await this.tools.approve(id, body)).map(ServerToolResponse.from);
  }
}
