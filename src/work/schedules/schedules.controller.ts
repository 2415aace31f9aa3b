import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal, UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { etagOf } from '../../platform/http/if-match-and-lease-token.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { Idempotent, Refuses } from '../../platform/http/route.decorators.js';
import { PlainCreationResponsesService } from '../../platform/idempotency/creation-and-response-in-one-transaction.service.js';
import { IssueResponse } from '../issue-reading/issue.response.js';
import { IssuesService } from '../issues/issue-pausing-closing-deletion.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import {
  CheckedScheduleResponse,
  CreateScheduleRequest,
  ScheduleResponse,
  UpdateScheduleRequest,
} from './schedule.dto.js';
import { SchedulesService } from './schedules.service.js';

@ApiTags('Schedules')
@Controller('api/projects/:projectId/schedules')
export class SchedulesOfProjectController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly schedules: SchedulesService,
    private readonly idempotency: PlainCreationResponsesService,
  ) {}

  /** Returns the schedules of a project, oldest first. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'refused' })
  async list(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduleResponse[]> {
    const project = await this.projects.get(caller, projectId);
    const page = await this.schedules.list(project, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(ScheduleResponse.from);
  }

  /** Creates a schedule, which creates issues with the rights of the caller. `dryRun` checks it and returns its next times. */
  @Post()
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @Idempotent()
  @ApiCreatedResponse({ type: ScheduleResponse })
  @ApiOkResponse({ type: CheckedScheduleResponse, description: 'With `dryRun`.' })
  @Refuses(
    'schedule_limit',
    'invalid_transition',
    'cross_project_link',
    'depth_limit',
    'child_limit',
    'link_limit',
    'dependency_cycle',
    'idempotency_key_in_use',
    'idempotency_key_reused',
  )
  async create(
    @Caller() caller: UserPrincipal,
    @Param('projectId') projectId: string,
    @Body() body: CreateScheduleRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduleResponse | CheckedScheduleResponse> {
    const project = await this.projects.get(caller, projectId, 'Editor');
    if (body.dryRun) {
      response.status(200);
      return this.schedules.check(caller, project, body);
    }
    return this.idempotency.create(request, response, caller, async () => {
      const schedule = await this.schedules.create(caller, project, body);
      return { location: `/api/projects/schedules/${schedule.id}`, body: ScheduleResponse.from(schedule) };
    });
  }
}

@ApiTags('Schedules')
@Controller('api/projects/schedules')
export class SchedulesController {
  constructor(
    private readonly schedules: SchedulesService,
    private readonly issues: IssuesService,
    private readonly idempotency: PlainCreationResponsesService,
  ) {}

  /** Returns one schedule. */
  @Get(':scheduleId')
  @AllowInProject({ role: 'Viewer', agents: 'refused' })
  async get(@Caller() caller: Principal, @Param('scheduleId') scheduleId: string): Promise<ScheduleResponse> {
    return ScheduleResponse.from(await this.schedules.get(caller, scheduleId));
  }

  /** Changes a schedule; an absent field stays as it is. From then on it creates issues with the rights of the caller. */
  @Put(':scheduleId')
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @Refuses(
    'invalid_transition',
    'cross_project_link',
    'depth_limit',
    'child_limit',
    'link_limit',
    'dependency_cycle',
  )
  async update(
    @Caller() caller: UserPrincipal,
    @Param('scheduleId') scheduleId: string,
    @Body() body: UpdateScheduleRequest,
  ): Promise<ScheduleResponse> {
    return ScheduleResponse.from(await this.schedules.update(caller, scheduleId, body));
  }

  /** Deletes a schedule. Its issues stay. */
  @Delete(':scheduleId')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  async delete(@Caller() caller: UserPrincipal, @Param('scheduleId') scheduleId: string): Promise<void> {
    await this.schedules.delete(caller, scheduleId);
  }

  /** Creates the next issue of a schedule now, as an issue of the caller's. Its due times stay as they are. */
  @Post(':scheduleId/run')
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @Idempotent()
  @Refuses(
    'invalid_transition',
    'cross_project_link',
    'depth_limit',
    'child_limit',
    'link_limit',
    'dependency_cycle',
    'idempotency_key_in_use',
    'idempotency_key_reused',
  )
  async run(
    @Caller() caller: UserPrincipal,
    @Param('scheduleId') scheduleId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse> {
    // The caller's role is checked before a stored response is returned.
    await this.schedules.get(caller, scheduleId, 'Editor');
    return this.idempotency.create(request, response, caller, async () => {
      const { id } = await this.schedules.run(caller, scheduleId);
      const issue = await this.issues.get(caller, id);
      return {
        location: `/api/projects/issues/${id}`,
        etag: etagOf(issue.version),
        body: IssueResponse.from(issue, caller),
      };
    });
  }
}
