import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { Idempotent, Refuses } from '../../platform/http/route.decorators.js';
import { PlainCreationResponsesService } from '../../platform/idempotency/creation-and-response-in-one-transaction.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { CreateViewRequest, UpdateViewRequest, ViewResponse } from './view.dto.js';
import { BY_NAME, ViewsService } from './views.service.js';

@ApiTags('Views')
@Controller('api/projects/:projectId/views')
export class ViewsOfProjectController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly views: ViewsService,
    private readonly idempotency: PlainCreationResponsesService,
  ) {}

  /** Returns the views of a project that are shared, and the caller's own, by name. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'refused' })
  async list(
    @Caller() caller: UserPrincipal,
    @Param('projectId') projectId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ViewResponse[]> {
    const project = await this.projects.get(caller, projectId);
    const page = await this.views.list(caller, project, pageRequest(query, BY_NAME));
    sendPageHeaders(request, response, page, BY_NAME);
    return page.rows.map(ViewResponse.from);
  }

  /** Keeps a view of a project for the caller; an Editor may share it. */
  @Post()
  @AllowInProject({ role: 'Viewer', agents: 'refused' })
  @Idempotent()
  @Refuses('name_taken', 'view_limit', 'idempotency_key_in_use', 'idempotency_key_reused')
  async create(
    @Caller() caller: UserPrincipal,
    @Param('projectId') projectId: string,
    @Body() body: CreateViewRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ViewResponse> {
    const project = await this.projects.get(caller, projectId, body.shared === true ? 'Editor' : 'Viewer');
    return this.idempotency.create(request, response, caller, async () => {
      const view = await this.views.create(caller, project, body);
      return { location: `/api/projects/views/${view.id}`, body: ViewResponse.from(view) };
    });
  }
}

@ApiTags('Views')
@Controller('api/projects/views')
export class ViewsController {
  constructor(private readonly views: ViewsService) {}

  /** Changes a view; an absent field stays as it is. */
  @Put(':viewId')
  @AllowInProject({ role: 'Viewer', agents: 'refused' })
  @Refuses('name_taken')
  async update(
    @Caller() caller: UserPrincipal,
    @Param('viewId') viewId: string,
    @Body() body: UpdateViewRequest,
  ): Promise<ViewResponse> {
    return ViewResponse.from(await this.views.update(caller, viewId, body));
  }

  /** Deletes a view. */
  @Delete(':viewId')
  @HttpCode(204)
  @AllowInProject({ role: 'Viewer', agents: 'refused' })
  async delete(@Caller() caller: UserPrincipal, @Param('viewId') viewId: string): Promise<void> {
    await this.views.delete(caller, viewId);
  }
}
