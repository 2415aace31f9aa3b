import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { AgentTodayService } from './agent-today.service.js';
import { AgentTodayResponse, FleetResponse, SinceQuery } from './fleet.dto.js';
import { FleetService } from './fleet.service.js';

@ApiTags('Agents')
@Controller('api/fleet')
export class FleetController {
  constructor(private readonly fleet: FleetService) {}

  /** Returns what every agent does now and has done since an instant, with the sums of all. */
  @Get()
  @Allow({ role: 'Viewer' })
  async get(@Caller() caller: Principal, @Query() { since }: SinceQuery): Promise<FleetResponse> {
    return FleetResponse.from(await this.fleet.of(caller, since));
  }
}

@ApiTags('Agents')
@Controller('api/agents/:agentId/today')
export class AgentTodayController {
  constructor(private readonly today: AgentTodayService) {}

  /** Returns what an agent picked up, finished, asked, called and spent since an instant, by issue and in sums. */
  @Get()
  @Allow({ role: 'Viewer', agents: 'self' })
  @Refuses('not_found')
  async get(
    @Caller() caller: Principal,
    @Param('agentId') agentId: string,
    @Query() { since }: SinceQuery,
  ): Promise<AgentTodayResponse> {
    return AgentTodayResponse.from(await this.today.of(caller, agentId, since));
  }
}
