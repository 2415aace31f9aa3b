import { Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowAgentItself } from '../../platform/auth/policy.js';
import type { AgentPrincipal } from '../../platform/auth/principal.js';
import { ReadsOwnBody } from '../../platform/http/body/reads-own-body.decorator.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { RefusesIdempotencyKey } from '../../platform/http/idempotency/idempotent.decorator.js';
import { EndsSession, StreamsNotices, TakesFrames } from './rpc-documentation.js';

/** The HTTP methods of MCP's Streamable HTTP, whose bodies are JSON-RPC. A tools/call is answered before it gets here. */
@ApiTags('Agents at work')
@ApiParam({ name: 'agentId', description: 'The calling agent: its id, or `me`.' })
@Controller(['api/agents/:agentId/mcp', 'mcp'])
export class McpEndpointController {
  constructor(private readonly endpoint: McpEndpointService) {}

  /** Accepts JSON-RPC requests and notifications of an MCP client, in both protocol eras. */
  @Post()
  @RefusesIdempotencyKey()
  @HttpCode(200)
  @TakesFrames()
  @AllowAgentItself({ leaseKeys: true })
  @ReadsOwnBody()
  async post(
    @Caller() agent: AgentPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.serve(agent, request, response);
  }

  /** Streams the notifications of a session. */
  @Get()
  @StreamsNotices()
  @AllowAgentItself({ leaseKeys: true })
  async get(
    @Caller() agent: AgentPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.serve(agent, request, response);
  }

  /** Ends a session. */
  @Delete()
  @RefusesIdempotencyKey()
  @EndsSession()
  @AllowAgentItself({ leaseKeys: true })
  @ReadsOwnBody()
  async delete(
    @Caller() agent: AgentPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.serve(agent, request, response);
  }
}
