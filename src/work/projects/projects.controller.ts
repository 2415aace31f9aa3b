import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allow, AllowInProject, Caller } from '../../platform/authentication/policy.js';
import type { Principal } from '../../platform/authentication/principal.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page.query.js';
import { Idempotent, Refuses } from '../../platform/http/route.decorators.js';
import { IdempotencyService } from '../../platform/idempotency/idempotency.service.js';
import { ConfirmQuery, CreateProjectRequest, UpdateProjectRequest } from './project.request.js';
import { ProjectResponse } from './project.response.js';
import { ProjectsService } from './projects.service.js';

@ApiTags('Projects')
@Controller('api/projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** Returns the projects that the caller sees, oldest first. */
  @Get()
  @Allow({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProjectResponse[]> {
    const page = await this.projects.list(caller, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(ProjectResponse.from);
  }

  /** Creates a project. */
  @Post()
  @Allow({ role: 'Editor' })
  @Idempotent()
  @Refuses('name_taken')
  async create(
    @Caller() caller: Principal,
    @Body() body: CreateProjectRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProjectResponse> {
    return this.idempotency.create(request, response, caller, async () => {
      const project = await this.projects.create(caller, body);
      return { location: `/api/projects/${project.id}`, body: ProjectResponse.from(project) };
    });
  }

  /** Returns one project. */
  @Get(':projectId')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async get(@Caller() caller: Principal, @Param('projectId') projectId: string): Promise<ProjectResponse> {
    return ProjectResponse.from(await this.projects.get(caller, projectId));
  }

  /** Changes a project; an absent field stays as it is. */
  @Put(':projectId')
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @Refuses('cross_project_link')
  async update(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Body() body: UpdateProjectRequest,
  ): Promise<ProjectResponse> {
    return ProjectResponse.from(await this.projects.update(caller, projectId, body));
  }

  /** Deletes an empty project; needs confirm=true. */
  @Delete(':projectId')
  @HttpCode(204)
  @AllowInProject({ role: 'Admin', agents: 'refused' })
  @Refuses('confirmation_required', 'not_empty')
  async delete(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() query: ConfirmQuery,
  ): Promise<void> {
    await this.projects.delete(caller, projectId, query.confirm);
  }
}
