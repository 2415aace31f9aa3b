import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AllowAgentInProject, Caller } from '../../platform/authentication/policy.js';
import type { AgentPrincipal } from '../../platform/authentication/principal.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { FinishRequest, ReleaseRequest } from './finish.request.js';
import { FinishResponse } from './finish.response.js';
import { FinishService } from './finish.service.js';

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
