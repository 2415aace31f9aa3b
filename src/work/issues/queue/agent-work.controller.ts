import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../../../platform/auth/caller.decorator.js';
import { Allow } from '../../../platform/auth/policy.js';
import type { Principal } from '../../../platform/auth/principal.js';
import { Refuses } from '../../../platform/http/problem/refuses.decorator.js';
import { AgentWorkQuery } from '../dto/agent-work.query.js';
import { AgentWorkResponse } from '../dto/agent-work.response.js';
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
