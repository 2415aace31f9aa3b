import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../platform/auth/policy.js';
import type { Principal } from '../../platform/auth/principal.js';
import { etagOf } from '../../platform/http/entity-tag.js';
import { Idempotency } from '../../platform/http/idempotency/idempotency.js';
import { Idempotent } from '../../platform/http/idempotency/idempotent.decorator.js';
import { Refuses } from '../../platform/http/refuses.decorator.js';
import { ProjectsService } from '../projects/projects.service.js';
import { CreateIssueRequest } from './dto/create-issue.request.js';
import { IssueResponse, ListedIssueResponse } from './dto/issue.response.js';
import { ListIssuesQuery } from './dto/list-issues.query.js';
import { IssueCreation } from './issue-creation.js';
import { IssueLists } from './issue-lists.js';

@ApiTags('Issues')
@Controller('api/projects/:projectId/issues')
export class IssuesOfProjectController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly lists: IssueLists,
    private readonly creation: IssueCreation,
    private readonly idempotency: Idempotency,
  ) {}

  /** The issues of a project. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() query: ListIssuesQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ListedIssueResponse[]> {
    const project = await this.projects.get(caller, projectId);
    return this.lists.answer(caller, { ...query, projectId: project.id }, request, response);
  }

  /** Open, or waiting where `blockedByIssueId` names an issue that is not finished. */
  @Post()
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @Idempotent()
  @Refuses('cross_project_link', 'link_limit', 'idempotency_key_in_use', 'idempotency_key_reused')
  async create(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Body() body: CreateIssueRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse> {
    const project = await this.projects.get(caller, projectId, 'Editor');
    return this.idempotency.create(request, response, caller, async () => {
      const issue = await this.creation.create(caller, project, body);
      return {
        location: `/api/projects/issues/${issue.id}`,
        etag: etagOf(issue.version),
        body: IssueResponse.from(issue),
      };
    });
  }
}
