import { Body, Controller, Get, HttpCode, Param, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowAgentInProject, AllowInProject } from '../../platform/auth/policy.js';
import type { AgentPrincipal, Principal } from '../../platform/auth/principal.js';
import { pageRequest, sendPageHeaders } from '../../platform/http/pages/page.js';
import { PageQuery } from '../../platform/http/pages/page.query.js';
import { Refuses } from '../../platform/http/problem/refuses.decorator.js';
import { IssueAccessService } from '../issues/issue-access.service.js';
import { ReportRunRequest } from './dto/report-run.request.js';
import { RunResponse } from './dto/run.response.js';
import { RunsRepository } from './runs.repository.js';
import { RunsService } from './runs.service.js';

/** The name of the order of runs. */
const NEWEST_FIRST = '-token';

@ApiTags('Issues')
@Controller('api/projects/issues/:issueId')
export class RunsController {
  constructor(
    private readonly access: IssueAccessService,
    private readonly runs: RunsRepository,
    private readonly reports: RunsService,
  ) {}

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
    const { id } = await this.access.get(caller, issueId, 'Viewer');
    const page = await this.runs.list(id, pageRequest(query, NEWEST_FIRST));
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
    await this.reports.report(caller, issueId, body);
  }
}
