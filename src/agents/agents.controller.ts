import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Allow, Caller } from '../platform/authentication/policy.js';
import type { Principal } from '../platform/authentication/principal.js';
import { PublicAddress } from '../platform/http/origins.js';
import { CarriesSecret, Refuses } from '../platform/http/route.decorators.js';
import { CreateAgentRequest, UpdateAgentRequest } from './agent.request.js';
import { NewAgentResponse, SeenAgentResponse } from './agent.response.js';
import { AgentsService } from './agents.service.js';

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
