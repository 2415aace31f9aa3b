import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../platform/auth/policy.js';
import type { Principal } from '../../platform/auth/principal.js';
import { IdempotencyService } from '../../platform/http/idempotency/idempotency.service.js';
import { Idempotent } from '../../platform/http/idempotency/idempotent.decorator.js';
import { pageRequest, sendPageHeaders } from '../../platform/http/pages/page.js';
import { PageQuery } from '../../platform/http/pages/page.query.js';
import { Refuses } from '../../platform/http/problem/refuses.decorator.js';
import { ProjectsService } from '../projects/projects.service.js';
import { CreateGoalRequest } from './dto/create-goal.request.js';
import { GoalResponse } from './dto/goal.response.js';
import { GoalsService } from './goals.service.js';

@ApiTags('Goals')
@Controller('api/projects/:projectId/goals')
export class GoalsOfProjectController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly goals: GoalsService,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** Returns the goals of a project, oldest first. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GoalResponse[]> {
    const project = await this.projects.get(caller, projectId);
    const page = await this.goals.list(project, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(GoalResponse.from);
  }

  /** Creates a goal in a project. */
  @Post()
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @Idempotent()
  @Refuses('idempotency_key_in_use', 'idempotency_key_reused')
  async create(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Body() body: CreateGoalRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GoalResponse> {
    const project = await this.projects.get(caller, projectId, 'Editor');
    return this.idempotency.create(request, response, caller, async () => {
      const goal = await this.goals.create(project, body);
      return { location: `/api/projects/goals/${goal.id}`, body: GoalResponse.from(goal) };
    });
  }
}
