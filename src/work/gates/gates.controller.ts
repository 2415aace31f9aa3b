import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../platform/auth/policy.js';
import type { Principal, UserPrincipal } from '../../platform/auth/principal.js';
import { pageRequest, sendPageHeaders } from '../../platform/http/pages/page.js';
import { Refuses } from '../../platform/http/problem/refuses.decorator.js';
import { AnswerGateRequest } from './dto/answer-gate.request.js';
import { GateResponse } from './dto/gate.response.js';
import { ListGatesQuery } from './dto/list-gates.query.js';
import { GatesService } from './gates.service.js';

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
