import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allow, Caller } from '../platform/authentication/policy.js';
import type { Principal } from '../platform/authentication/principal.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../platform/http/page.query.js';
import { CarriesSecret, Refuses } from '../platform/http/route.decorators.js';
import { ApiKeyResponse, NewApiKeyResponse } from '../platform/users/api-key.dto.js';
import { ApiKeysService } from '../platform/users/api-keys.service.js';
import { CreateAgentKeyRequest } from './agent.request.js';
import { AgentsService } from './agents.service.js';

@ApiTags('Agents')
@Controller('api/agents/:agentId/keys')
export class AgentKeysController {
  constructor(
    private readonly agents: AgentsService,
    private readonly keys: ApiKeysService,
  ) {}

  /** Returns an agent's keys, oldest first, without their secrets. */
  @Get()
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async list(
    @Caller() caller: Principal,
    @Param('agentId') agentId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ApiKeyResponse[]> {
    const agent = await this.agents.get(caller, agentId);
    const page = await this.keys.list({ agentId: agent.id }, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(ApiKeyResponse.from);
  }

  /** Creates a key for an agent. No other response contains it. */
  @Post()
  @Allow({ role: 'Admin' })
  @CarriesSecret()
  @Refuses('not_found')
  async create(
    @Caller() caller: Principal,
    @Param('agentId') agentId: string,
    @Body() body: CreateAgentKeyRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewApiKeyResponse> {
    const agent = await this.agents.get(caller, agentId);
    const made = await this.keys.create({ agentId: agent.id }, body);
    response.location(`/api/agents/${agent.id}/keys/${made.row.id}`);
    return NewApiKeyResponse.of(made);
  }

  /** Deletes an agent's key, which stops working at once. */
  @Delete(':keyId')
  @HttpCode(204)
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async delete(
    @Caller() caller: Principal,
    @Param('agentId') agentId: string,
    @Param('keyId') keyId: string,
  ): Promise<void> {
    const agent = await this.agents.get(caller, agentId);
    await this.keys.delete({ agentId: agent.id }, keyId);
  }
}
