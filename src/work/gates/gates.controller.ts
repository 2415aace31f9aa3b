import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal, UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { Idempotent, Refuses } from '../../platform/http/route.decorators.js';
import { PlainCreationResponsesService } from '../../platform/idempotency/creation-and-response-in-one-transaction.service.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { type ChangeConditions, Conditions } from '../../platform/http/if-match-and-lease-token.js';
import { ChecksGatesService } from './checks-gates.service.js';
import { AnswerGateRequest, ListGatesQuery, OpenGateRequest, requireFieldsOfKind } from './gate.request.js';
import { GateResponse } from './gate.response.js';
import { GatesService } from './gates.service.js';
import { QuestionsService } from './questions-and-answer-rules.service.js';

/** One example for each kind of gate: no body suits all of them. The first one answers the example of a question. */
const ANSWERS = {
  question: {
    summary: 'to a question',
    value: { option: 'Tomorrow', text: 'Wait for the totals of March.' },
  },
  form: { summary: 'to a question with a schema', value: { fields: { environment: 'staging' } } },
  approval: {
    summary: 'to an approval',
    value: { decision: 'approve', scope: 'once', note: 'Only on the staging server.' },
  },
  budget: { summary: 'to a budget', value: { decision: 'extend', by: 1000 } },
};

/** No body suits both kinds. The first one asks a person. */
const OPENED = {
  question: {
    summary: 'a question',
    value: {
      question: 'May I publish the release notes today?',
      options: ['Today', 'Tomorrow'],
      recommended: 'Tomorrow',
    },
  },
  checks: { summary: 'checks', value: { kind: 'checks', until: 'passing' } },
};

/** Opens gates on an issue: a question to a person, or the wait for the checks of its pull requests (contract §5.6). */
@ApiTags('Gates')
@Controller('api/projects/issues/:issueId/gates')
export class GatesOfIssueController {
  constructor(
    private readonly access: IssueAccessService,
    private readonly questions: QuestionsService,
    private readonly checks: ChecksGatesService,
    private readonly gates: GatesService,
    private readonly idempotency: PlainCreationResponsesService,
  ) {}

  /**
   * Opens a gate, for which the issue waits: a question to a person, or the checks of its pull requests. Work on it ends until
   * then. Checks that have ended already are answered at once.
   */
  @Post()
  @ApiBody({ type: OpenGateRequest, examples: OPENED })
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
    @Body() body: OpenGateRequest,
    @Conditions() { leaseToken = null }: ChangeConditions,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GateResponse> {
    const issue = await this.access.get(caller, issueId, 'Editor');
    return this.idempotency.create(request, response, caller, async () => {
      requireFieldsOfKind(body);
      const { id } = await (body.kind === 'checks'
        ? this.checks.open(caller, issue, body, leaseToken)
        : this.questions.ask(caller, issue, { ...body, question: body.question! }, leaseToken));
      return { location: `/api/projects/gates/${id}`, body: await this.gates.read(caller, id) };
    });
  }
}

/** Lists, answers and withdraws gates of every kind, whoever opened them. */
@ApiTags('Gates')
@Controller('api/projects/gates')
export class GatesController {
  constructor(private readonly gates: GatesService) {}

  /** Returns the gates that the caller sees, oldest first. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Query() query: ListGatesQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GateResponse[]> {
    const page = await this.gates.list(caller, query, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows;
  }

  /** Returns one gate. */
  @Get(':gateId')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  get(@Caller() caller: Principal, @Param('gateId') gateId: string): Promise<GateResponse> {
    return this.gates.read(caller, gateId);
  }

  /** Answers an open gate. The first answer counts, and unblocks the issue. */
  @Post(':gateId/answer')
  @HttpCode(200)
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @Refuses('gate_closed')
  @ApiBody({ type: AnswerGateRequest, examples: ANSWERS })
  answer(
    @Caller() caller: UserPrincipal,
    @Param('gateId') gateId: string,
    @Body() body: AnswerGateRequest,
  ): Promise<GateResponse> {
    return this.gates.answer(caller, gateId, body);
  }

  /** Withdraws an open gate, which unblocks the issue without an answer. An agent withdraws what it opened itself. */
  @Post(':gateId/withdraw')
  @HttpCode(200)
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @Refuses('gate_closed')
  withdraw(@Caller() caller: Principal, @Param('gateId') gateId: string): Promise<GateResponse> {
    return this.gates.withdraw(caller, gateId);
  }
}
