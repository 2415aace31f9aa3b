import { Body, Controller, Get, HttpCode, Param, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  AllowAgentInProject,
  AllowInProject,
  Caller,
} from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { AgentPrincipal, Principal } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { ReportRunRequest, RunResponse } from './run.dto.js';
import { RunsService } from './runs.service.js';

/** The name of the order of runs. */
const NEWEST_FIRST = '-token';

@ApiTags('Issues')
@Controller('api/projects/issues/:issueId')
export class RunsController {
  constructor(private readonly runs: RunsService) {}

  /** Lists the runs that workers reported for the issue, newest first. */
  @Get('runs')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RunResponse[]> {
    const page = await this.runs.list(caller, issueId, pageRequest(query, NEWEST_FIRST));
    sendPageHeaders(request, response, page, NEWEST_FIRST);
    return page.rows.map(RunResponse.from);
  }

  /** Reports the progress of the run under a lease: session, turn, usage, last lines of output, and why it stopped. */
  @Put('run')
  @HttpCode(204)
  @AllowAgentInProject()
  @Refuses('lease_lost')
  async report(
    @Caller() caller: AgentPrincipal,
    @Param('issueId') issueId: string,
    @Body() body: ReportRunRequest,
  ): Promise<void> {
    await this.runs.report(caller, issueId, body);
  }
}
