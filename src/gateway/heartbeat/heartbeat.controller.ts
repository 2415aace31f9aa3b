import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowAgentItself } from '../../platform/auth/policy.js';
import type { AgentPrincipal } from '../../platform/auth/principal.js';
import { HeartbeatRequest } from './dto/heartbeat.request.js';
import { HeartbeatResponse } from './dto/heartbeat.response.js';
import { TurnRequest } from './dto/turn.request.js';
import { TurnResponse } from './dto/turn.response.js';
import { HeartbeatService } from './heartbeat.service.js';
import { TurnsService } from './turns.service.js';

/** Where an agent's workers report and get work. */
/** Far more than one agent needs, and few enough that it can't use up the service's memory (spec §9). */
const AT_ONCE = 500;

@ApiTags('Agents at work')
@ApiParam({ name: 'agentId', description: 'The calling agent: its id, or `me`.' })
@Controller('api/agents/:agentId')
export class HeartbeatController {
  constructor(
    private readonly heartbeats: HeartbeatService,
    private readonly turns: TurnsService,
  ) {}

  /** Renews leases, tells what to stop, hands out work: in one transaction. */
  @Post('heartbeat')
  @HttpCode(200)
  @AllowAgentItself({ atOnce: AT_ONCE })
  async beat(@Caller() caller: AgentPrincipal, @Body() body: HeartbeatRequest): Promise<HeartbeatResponse> {
    const beat = await this.heartbeats.beat(caller, {
      leases: body.leases ?? [],
      capacity: body.capacity ?? null,
    });
    return HeartbeatResponse.from(beat, caller);
  }

  /** The turn boundary: whether to go on, what people said, which tools there are. */
  @Post('turns')
  @HttpCode(200)
  @AllowAgentItself({ atOnce: AT_ONCE })
  async turn(@Caller() caller: AgentPrincipal, @Body() body: TurnRequest): Promise<TurnResponse> {
    return TurnResponse.from(await this.turns.take(caller, body.issueId ?? null, body.token ?? null));
  }
}
