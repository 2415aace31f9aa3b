import { Body, Controller, Param, Post, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../platform/auth/policy.js';
import type { Principal } from '../../platform/auth/principal.js';
import { IdempotencyService } from '../../platform/http/idempotency/idempotency.service.js';
import { Idempotent } from '../../platform/http/idempotency/idempotent.decorator.js';
import { Refuses } from '../../platform/http/problem/refuses.decorator.js';
import { Conditions } from '../issues/change-conditions.decorator.js';
import { IssueAccessService } from '../issues/issue-access.service.js';
import type { ChangeConditions } from '../issues/issue-update.service.js';
import { AskQuestionRequest } from './dto/ask-question.request.js';
import { GateResponse } from './dto/gate.response.js';
import { GatesService } from './gates.service.js';
import { QuestionsService } from './questions.service.js';

@ApiTags('Gates')
@Controller('api/projects/issues/:issueId/gates')
export class GatesOfIssueController {
  constructor(
    private readonly access: IssueAccessService,
    private readonly questions: QuestionsService,
    private readonly gates: GatesService,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** Asks a person a question about the issue, which waits for the answer. Work on it ends until then. */
  @Post()
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @Idempotent()
  @ApiHeader({
    name: 'Lease-Token',
    required: false,
    description: "The token of the agent's lease on this issue. One that is not the newest is refused.",
  })
  @Refuses(
    'not_yours',
    'invalid_transition',
    'lease_lost',
    'gate_limit',
    'idempotency_key_in_use',
    'idempotency_key_reused',
  )
  async ask(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Body() body: AskQuestionRequest,
    @Conditions() { leaseToken = null }: ChangeConditions,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GateResponse> {
    const issue = await this.access.get(caller, issueId, 'Editor');
    return this.idempotency.create(request, response, caller, async () => {
      const { id } = await this.questions.ask(caller, issue, body, leaseToken);
      return { location: `/api/projects/gates/${id}`, body: await this.gates.read(caller, id) };
    });
  }
}
