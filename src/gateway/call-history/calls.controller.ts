import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  Allow,
  AllowInProject,
  Caller,
} from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { CallHistoryService, NEWEST_FIRST } from './call-history.service.js';
import {
  CallResponse,
  CallSummaryResponse,
  CallWindowQuery,
  ListCallsQuery,
  ListIssueCallsQuery,
} from './call.dto.js';

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

@ApiTags('MCP servers')
@Controller('api/mcp/calls')
export class CallsController {
  constructor(private readonly history: CallHistoryService) {}

  /** Lists the records of tool calls, newest first: who called which tool for which issue, and how it ended. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  async list(
    @Caller() caller: Principal,
    @Query() query: ListCallsQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CallResponse[]> {
    const page = await this.history.list(caller, query);
    sendPageHeaders(request, response, page, NEWEST_FIRST);
    return page.rows.map(CallResponse.from);
  }

  /** Summarises the tool calls of a window of at most 31 days; without `from` the last 24 hours. */
  @Get('summary')
  @Allow({ role: 'Admin', bearerOnly: true })
  async summary(@Query() query: CallWindowQuery): Promise<CallSummaryResponse> {
    const { summary, from, to } = await this.history.summarise(query);
    return CallSummaryResponse.from(summary, from, to);
  }
}
