import { Body, Controller, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  AllowAgentInProject,
  AllowAgentItself,
  Caller,
} from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { whenClosed } from '../../platform/http/in-flight-connections-and-slow-readers.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { BudgetChecksService } from '../../work/budgets/budget-checks-stops-and-answers.service.js';
import { UsageReportsService } from '../../work/usage/usage-reports.service.js';
import { FinishService } from './finish.service.js';
import {
  FinishRequest,
  HeartbeatQuery,
  HeartbeatRequest,
  refuseWithoutNames,
  ReleaseRequest,
  TurnRequest,
} from './heartbeat.request.js';
import { FinishResponse, HeartbeatResponse, TurnResponse } from './heartbeat.response.js';
import { HeartbeatService } from './heartbeat.service.js';
import { TurnsService } from './turns-new-comments-and-answers.service.js';
import { WaitingHeartbeatsService } from './waiting-heartbeats.service.js';
import { ConnectionsService } from './worker-instances-and-connections.service.js';

/** The ends of a lease by the worker that holds it. */
@ApiTags('Agents at work')
@Controller('api/projects/issues/:issueId')
export class FinishController {
  constructor(private readonly finishes: FinishService) {}

  /**
   * Finishes the work on an issue: status, comment and files in one transaction. The same request again returns the same
   * response. A paused issue takes PendingReview from its last holder.
   */
  @Post('finish')
  @HttpCode(200)
  @AllowAgentInProject()
  @Refuses('not_yours', 'lease_lost', 'invalid_transition', 'quota_exceeded')
  finish(
    @Caller() caller: AgentPrincipal,
    @Param('issueId') issueId: string,
    @Body() body: FinishRequest,
  ): Promise<FinishResponse> {
    return this.finishes.finish(caller, issueId, body);
  }

  /** Gives an issue back without counting an attempt, so that any worker of the agent may take it at once. */
  @Post('release')
  @HttpCode(200)
  @AllowAgentInProject()
  @Refuses('not_yours', 'lease_lost', 'invalid_transition')
  release(
    @Caller() caller: AgentPrincipal,
    @Param('issueId') issueId: string,
    @Body() body: ReleaseRequest,
  ): Promise<FinishResponse> {
    return this.finishes.release(caller, issueId, body);
  }
}

/** A waiting heartbeat holds no transaction, and so cannot store its response in that of its work. */
const WAIT = {
  path: 'wait',
  message: 'does not go with Idempotency-Key: name a worker, whose next heartbeat returns what was lost',
};

/** The endpoints at which an agent's workers report and get work. */
@ApiTags('Agents at work')
@ApiParam({ name: 'agentId', description: 'The calling agent: its id, or `me`.' })
@Controller('api/agents/:agentId')
export class HeartbeatController {
  constructor(
    private readonly heartbeats: HeartbeatService,
    private readonly waiting: WaitingHeartbeatsService,
    private readonly turns: TurnsService,
    private readonly usage: UsageReportsService,
    private readonly connections: ConnectionsService,
    private readonly budgets: BudgetChecksService,
  ) {}

  /**
   * Renews leases, lists the work to stop and hands out work, in one transaction. With `wait` it responds as soon as
   * there is something to start or to stop.
   */
  @Post('heartbeat')
  @HttpCode(200)
  @AllowAgentItself({ frequent: true })
  @Refuses('worker_taken', 'worker_superseded', 'quota_exceeded')
  async send(
    @Caller() caller: AgentPrincipal,
    @Body() body: HeartbeatRequest,
    @Query() { wait }: HeartbeatQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HeartbeatResponse> {
    if (wait > 0 && response.req.headers['idempotency-key'] !== undefined) throw new ValidationFailed([WAIT]);
    refuseWithoutNames(body);
    const call = {
      leases: body.leases ?? null,
      capacity: body.capacity ?? null,
      worker: body.worker ?? null,
      failing: body.failing ?? null,
      instance: body.instance === undefined ? null : { id: body.instance, takeOver: body.takeOver ?? false },
    };
    const { usage } = body;
    const heartbeat = await this.usage.countBefore(caller, { usage, issueId: null }, async () => {
      if (usage?.length) await this.budgets.afterReport(caller.id);
      return wait > 0
        ? this.waiting.handle(caller, call, wait, endOf(response))
        : this.heartbeats.handle(caller, call);
    });
    return HeartbeatResponse.from(heartbeat, caller, this.connections.of(caller.id));
  }

  /** The turn boundary: returns whether to go on, new comments, and the agent's tools. */
  @Post('turns')
  @HttpCode(200)
  @AllowAgentItself({ frequent: true })
  @Refuses('quota_exceeded')
  async turn(@Caller() caller: AgentPrincipal, @Body() body: TurnRequest): Promise<TurnResponse> {
    const { issueId = null, token = null, toolsVersion = null, usage = [] } = body;
    return TurnResponse.from(await this.turns.take(caller, { issueId, token, toolsVersion, usage }));
  }
}

/** Returns a signal that aborts when the response has been sent or its client is gone. */
function endOf(response: Response): AbortSignal {
  const ended = new AbortController();
  whenClosed(response, () => ended.abort());
  return ended.signal;
}
