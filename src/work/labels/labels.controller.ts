import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { Idempotent, Refuses } from '../../platform/http/route.decorators.js';
import { PlainCreationResponsesService } from '../../platform/idempotency/creation-and-response-in-one-transaction.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { CreateLabelRequest, LabelResponse, UpdateLabelRequest } from './label.dto.js';
import { BY_NAME } from './label.repository.js';
import { LabelsService } from './labels.service.js';

@ApiTags('Labels')
@Controller('api/projects/:projectId/labels')
export class LabelsOfProjectController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly labels: LabelsService,
    private readonly idempotency: PlainCreationResponsesService,
  ) {}

  /** Returns the labels of a project by name, each with the number of its unresolved issues. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LabelResponse[]> {
    const project = await this.projects.get(caller, projectId);
    const page = await this.labels.list(project, pageRequest(query, BY_NAME));
    sendPageHeaders(request, response, page, BY_NAME);
    return page.rows.map(LabelResponse.from);
  }

  /** Creates a label in a project. */
  @Post()
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @Idempotent()
  @Refuses('name_taken', 'label_limit', 'idempotency_key_in_use', 'idempotency_key_reused')
  async create(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Body() body: CreateLabelRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LabelResponse> {
    const project = await this.projects.get(caller, projectId, 'Editor');
    return this.idempotency.create(request, response, caller, async () => {
      const label = await this.labels.create(project, body);
      return { location: `/api/projects/labels/${label.id}`, body: LabelResponse.from(label) };
    });
  }
}

@ApiTags('Labels')
@Controller('api/projects/labels')
export class LabelsController {
  constructor(private readonly labels: LabelsService) {}

  /** Returns one label. */
  @Get(':labelId')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async get(@Caller() caller: Principal, @Param('labelId') labelId: string): Promise<LabelResponse> {
    return LabelResponse.from(await this.labels.get(caller, labelId));
  }

  /** Changes a label; an absent field stays as it is. */
  @Put(':labelId')
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @Refuses('name_taken')
  async update(
    @Caller() caller: Principal,
    @Param('labelId') labelId: string,
    @Body() body: UpdateLabelRequest,
  ): Promise<LabelResponse> {
    return LabelResponse.from(await this.labels.update(caller, labelId, body));
  }

  /** Deletes a label, and takes it off its issues. */
  @Delete(':labelId')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  async delete(@Caller() caller: Principal, @Param('labelId') labelId: string): Promise<void> {
    await this.labels.delete(caller, labelId);
  }
}
