import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../platform/auth/policy.js';
import type { Principal } from '../../platform/auth/principal.js';
import { sendPageHeaders } from '../../platform/http/pages/page.js';
import { CallHistoryService, NEWEST_FIRST } from './call-history.service.js';
import { CallResponse } from './dto/call.response.js';
import { ListIssueCallsQuery } from './dto/list-calls.query.js';

@ApiTags('Issues')
@Controller('api/projects/issues/:issueId/calls')
export class IssueCallsController {
  constructor(private readonly history: CallHistoryService) {}

  /** Lists the records of the tool calls that agents made for the issue, newest first. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'refused' })
  async list(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Query() query: ListIssueCallsQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CallResponse[]> {
    const page = await this.history.listOfIssue(caller, issueId, query);
    sendPageHeaders(request, response, page, NEWEST_FIRST);
    return page.rows.map(CallResponse.from);
  }
}
