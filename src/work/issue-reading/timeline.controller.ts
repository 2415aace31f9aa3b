import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/policy.js';
import type { Principal } from '../../platform/authentication/principal.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page.query.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { TimelineRepository } from './timeline.repository.js';
import { ActivityResponse } from './timeline.response.js';

/** The order of the journal; other lists are ordered by creation. */
const BY_POSITION = 'position';

@ApiTags('Issues')
@Controller('api/projects/issues/:issueId/activity')
export class TimelineController {
  constructor(
    private readonly access: IssueAccessService,
    private readonly timeline: TimelineRepository,
  ) {}

  /** Returns the timeline of an issue, oldest first. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ActivityResponse[]> {
    const issue = await this.access.get(caller, issueId, 'Viewer');
    const page = await this.timeline.list(caller, issue, pageRequest(query, BY_POSITION));
    sendPageHeaders(request, response, page, BY_POSITION);
    return page.rows.map(ActivityResponse.from);
  }
}
