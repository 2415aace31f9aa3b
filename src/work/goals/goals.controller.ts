import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { Idempotent, Refuses } from '../../platform/http/route.decorators.js';
import { PlainCreationResponsesService } from '../../platform/idempotency/creation-and-response-in-one-transaction.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { CreateGoalRequest, GoalResponse, UpdateGoalRequest } from './goal.dto.js';
import { GoalsService } from './goals.service.js';

@ApiTags('Goals')
@Controller('api/projects/:projectId/goals')
export class GoalsOfProjectController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly goals: GoalsService,
    private readonly idempotency: PlainCreationResponsesService,
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

@ApiTags('Goals')
@Controller('api/projects/goals')
export class GoalsController {
  constructor(private readonly goals: GoalsService) {}

  /** Returns one goal. */
  @Get(':goalId')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async get(@Caller() caller: Principal, @Param('goalId') goalId: string): Promise<GoalResponse> {
    return GoalResponse.from(await this.goals.get(caller, goalId));
  }

  /** Changes a goal; an absent field stays as it is. */
  @Put(':goalId')
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  async update(
    @Caller() caller: Principal,
    @Param('goalId') goalId: string,
    @Body() body: UpdateGoalRequest,
  ): Promise<GoalResponse> {
    return GoalResponse.from(await this.goals.update(caller, goalId, body));
  }

  /** Deletes a goal. Its issues stay, without a goal. */
  @Delete(':goalId')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  async delete(@Caller() caller: Principal, @Param('goalId') goalId: string): Promise<void> {
    await this.goals.delete(caller, goalId);
  }
}
