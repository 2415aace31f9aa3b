import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../../platform/auth/policy.js';
import type { Principal } from '../../../platform/auth/principal.js';
import { pageRequest, tellPage } from '../../../platform/http/page.js';
import { PageQuery } from '../../../platform/http/page.query.js';
import { IssueAccess } from '../issue-access.js';
import { ActivityResponse } from '../dto/activity.response.js';
import { TimelineRepository } from './timeline.repository.js';

/** The order of the journal, which is no list's by creation. */
const BY_POSITION = 'position';

@ApiTags('Issues')
@Controller('api/projects/issues/:issueId/activity')
export class TimelineController {
  constructor(
    private readonly access: IssueAccess,
    private readonly timeline: TimelineRepository,
  ) {}

  /** What happened to an issue, oldest first. */
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
    const page = await this.timeline.list(caller, issue.id, pageRequest(query, BY_POSITION));
    tellPage(request, response, page, BY_POSITION);
    return page.rows.map(ActivityResponse.from);
  }
}
