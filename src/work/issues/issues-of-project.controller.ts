import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/policy.js';
import type { Principal } from '../../platform/authentication/principal.js';
import { etagOf } from '../../platform/http/conditions.js';
import { Idempotent, Refuses } from '../../platform/http/route.decorators.js';
import { IdempotencyService } from '../../platform/idempotency/idempotency.service.js';
import { IssueListsService } from '../issue-reading/issue-lists.service.js';
import { IssueResponse, ListedIssueResponse } from '../issue-reading/issue.response.js';
import { ListIssuesQuery } from '../issue-reading/list-issues.query.js';
import { ProjectsService } from '../projects/projects.service.js';
import { IssueCreationService } from './issue-creation.service.js';
import { CreateIssueRequest } from './issue.request.js';

@ApiTags('Issues')
@Controller('api/projects/:projectId/issues')
export class IssuesOfProjectController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly lists: IssueListsService,
    private readonly creation: IssueCreationService,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** Returns the issues of a project. */
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

  /** Creates an issue: Open, or WaitingOnDependency when `blockedByIssueId` names an unresolved issue. */
  @Post()
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @Idempotent()
  @Refuses(
    'assignment_refused',
    'cross_project_link',
    'link_limit',
    'idempotency_key_in_use',
    'idempotency_key_reused',
  )
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
        body: IssueResponse.from(issue, caller),
      };
    });
  }
}
