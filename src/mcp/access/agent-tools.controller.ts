import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AgentsService } from '../../agents/agents.service.js';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { Allow } from '../../platform/auth/policy.js';
import type { Principal } from '../../platform/auth/principal.js';
import { Refuses } from '../../platform/http/refuses.decorator.js';
import { AgentToolResponse } from './dto/agent-tool.response.js';
import { ToolAccess } from './tool-access.js';

@ApiTags('Agents')
@Controller('api/agents/:agentId/tools')
export class AgentToolsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly access: ToolAccess,
  ) {}

  /** Every tool of every installed server, and why the agent has it or not. */
  @Get()
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async list(@Caller() caller: Principal, @Param('agentId') agentId: string): Promise<AgentToolResponse[]> {
    const agent = await this.agents.get(caller, agentId);
    return (await this.access.explain(agent.id)).map(AgentToolResponse.from);
  }
}
