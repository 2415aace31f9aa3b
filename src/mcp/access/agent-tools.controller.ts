import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AgentsService } from '../../agents/agents.service.js';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { Allow } from '../../platform/auth/policy.js';
import type { Principal } from '../../platform/auth/principal.js';
import { Refuses } from '../../platform/http/problem/refuses.decorator.js';
import { AgentToolResponse } from './dto/agent-tool.response.js';
import { ToolAccessService } from './tool-access.service.js';

@ApiTags('Agents')
@Controller('api/agents/:agentId/tools')
export class AgentToolsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly access: ToolAccessService,
  ) {}

  /** Returns every tool of every installed server, and why the agent may or may not use it. */
  @Get()
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async list(@Caller() caller: Principal, @Param('agentId') agentId: string): Promise<AgentToolResponse[]> {
    const agent = await this.agents.get(caller, agentId);
    return (await this.access.explain(agent.id)).map(AgentToolResponse.from);
  }
}
