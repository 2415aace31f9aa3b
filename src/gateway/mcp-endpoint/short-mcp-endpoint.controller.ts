import { Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowAgentItself } from '../../platform/auth/policy.js';
import type { AgentPrincipal } from '../../platform/auth/principal.js';
import { ReadsOwnBody } from '../../platform/http/reads-own-body.decorator.js';
import { McpEndpoint } from './mcp-endpoint.js';
import { EndsSession, StreamsNotices, TakesFrames } from './rpc-documentation.js';

/** The same for short: the key says which agent it is. */
@ApiTags('Agents at work')
@Controller('mcp')
export class ShortMcpEndpointController {
  constructor(private readonly endpoint: McpEndpoint) {}

  /** JSON-RPC requests and notices of an MCP client, of both protocol eras. */
  @Post()
  @HttpCode(200)
  @TakesFrames()
  @AllowAgentItself()
  @ReadsOwnBody()
  async post(
    @Caller() agent: AgentPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.serve(agent, request, response);
  }

  /** The stream of notices of a session. */
  @Get()
  @StreamsNotices()
  @AllowAgentItself()
  async get(
    @Caller() agent: AgentPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.serve(agent, request, response);
  }

  /** Ends a session. */
  @Delete()
  @EndsSession()
  @AllowAgentItself()
  @ReadsOwnBody()
  async delete(
    @Caller() agent: AgentPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.serve(agent, request, response);
  }
}
