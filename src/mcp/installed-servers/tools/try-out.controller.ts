import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../../../platform/auth/caller.decorator.js';
import { Allow } from '../../../platform/auth/policy.js';
import type { Principal } from '../../../platform/auth/principal.js';
import { KeepsDigits } from '../../../platform/http/body/keeps-digits.decorator.js';
import { withNumbers } from '../../../platform/json/exact-json.js';
import { Refuses } from '../../../platform/http/problem/refuses.decorator.js';
import { CallToolRequest } from '../dto/call-tool.request.js';
import { ToolResultResponse } from '../dto/tool-result.response.js';
import { IdempotentAfterwards } from '../../../platform/http/idempotency/idempotent.decorator.js';
import { ToolArguments } from './tool-arguments.js';
import { TryOutService } from './try-out.service.js';

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
