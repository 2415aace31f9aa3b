import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allow, Caller } from '../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../platform/authentication/principals-and-roles.js';
import { PublicAddress } from '../platform/http/origins-and-redirects.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../platform/http/page-and-cursor.query.js';
import { CarriesSecret, Refuses } from '../platform/http/route.decorators.js';
import { ApiKeyResponse, NewApiKeyResponse } from '../platform/users/user-and-api-key.dto.js';
import { ApiKeysService } from '../platform/users/api-keys.service.js';
import {
  CreateAgentKeyRequest,
  CreateAgentRequest,
  HaltResponse,
  NewAgentResponse,
  SeenAgentResponse,
  SetHaltRequest,
  UpdateAgentRequest,
} from './agent.dto.js';
import { AgentsService, HaltService } from './agents.service.js';

@ApiTags('Agents')
@Controller('api/agents')
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly address: PublicAddress,
  ) {}

  /** Returns all agents, oldest first. */
  @Get()
  @Allow({ role: 'Viewer' })
  async list(@Caller() caller: Principal): Promise<SeenAgentResponse[]> {
    return (await this.agents.list(caller)).map((agent) => SeenAgentResponse.ofSeen(agent));
  }

  /** Creates an agent. The response contains its first key and how an MCP client connects with it. */
  @Post()
  @Allow({ role: 'Admin' })
  @CarriesSecret()
  async create(
    @Body() body: CreateAgentRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewAgentResponse> {
    const { agent, key } = await this.agents.create(body);
    response.location(`/api/agents/${agent.id}`);
    return NewAgentResponse.of(agent, key, `${this.address.url}/mcp`);
  }

  /** Returns one agent. An agent may read itself. */
  @Get(':agentId')
  @Allow({ role: 'Viewer', agents: 'self' })
  @Refuses('not_found')
  async get(@Caller() caller: Principal, @Param('agentId') agentId: string): Promise<SeenAgentResponse> {
    return SeenAgentResponse.ofSeen(await this.agents.get(caller, agentId));
  }

  /** Changes an agent; an absent field stays as it is. */
  @Put(':agentId')
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async update(
    @Param('agentId') agentId: string,
    @Body() body: UpdateAgentRequest,
  ): Promise<SeenAgentResponse> {
    return SeenAgentResponse.ofSeen(await this.agents.update(agentId, body));
  }

  /** Retires the agent: its keys, grants and leases end; its name stays in the records. */
  @Delete(':agentId')
  @HttpCode(204)
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async delete(@Param('agentId') agentId: string): Promise<void> {
    await this.agents.delete(agentId);
  }
}

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

@ApiTags('Agents')
@Controller('api/agents/halt')
export class HaltController {
  constructor(private readonly halt: HaltService) {}

  /** Returns whether all agents are halted, and why. */
  @Get()
  @Allow({ role: 'Viewer' })
  async get(): Promise<HaltResponse> {
    return HaltResponse.from(await this.halt.get());
  }

  /** Halts all agents, or ends the halt. While halted, no agent is given work or tools. */
  @Put()
  @Allow({ role: 'Admin' })
  async set(@Body() body: SetHaltRequest): Promise<HaltResponse> {
    return HaltResponse.from(await this.halt.set(body.halted, body.reason ?? null));
  }
}
