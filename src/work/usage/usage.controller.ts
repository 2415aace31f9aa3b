import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allow, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { BY_KEY, UsageEvaluationService } from './usage-evaluation.service.js';
import { UsageQuery, UsageResponse } from './usage.dto.js';

@ApiTags('Usage')
@Controller('api/usage')
export class UsageController {
  constructor(private readonly usage: UsageEvaluationService) {}

  /** Returns the usage of a window by agent, project, issue, model or day. Tokens and cost are as agents reported them. */
  @Get()
  @Allow({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Query() query: UsageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UsageResponse[]> {
    const page = await this.usage.list(caller, query);
    sendPageHeaders(request, response, page, BY_KEY);
    return page.rows.map(UsageResponse.from);
  }
}
