import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow, Caller } from '../../platform/authentication/policy.js';
import type { Principal } from '../../platform/authentication/principal.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { AgentWorkQuery, AgentWorkResponse } from './agent-work.dto.js';
import { AgentWorkService } from './agent-work.service.js';

@ApiTags('Agents')
@Controller('api/agents/:agentId/work')
export class AgentWorkController {
  constructor(private readonly work: AgentWorkService) {}

  /** Returns what an agent works on, and its other unfinished issues in order, each with why it is not started yet. */
  @Get()
  @Allow({ role: 'Viewer', agents: 'self' })
  @Refuses('not_found')
  get(
    @Caller() caller: Principal,
    @Param('agentId') agentId: string,
    @Query() { limit }: AgentWorkQuery,
  ): Promise<AgentWorkResponse> {
    return this.work.of(caller, agentId, limit);
  }
}
