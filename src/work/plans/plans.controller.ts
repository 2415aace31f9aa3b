import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { ProjectsService } from '../projects/projects.service.js';
import { CheckedPlanResponse, CreatedPlanResponse, PlanRequest } from './plan.dto.js';
import { PlansService } from './plans.service.js';

@ApiTags('Issues')
@Controller('api/projects/:projectId/plans')
export class PlansController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly plans: PlansService,
  ) {}

  /**
   * Creates up to 500 issues and the links between them: all or none. `dryRun` checks the plan and returns an order of the
   * work and its longest chain.
   */
  @Post()
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @ApiCreatedResponse({ type: CreatedPlanResponse })
  @ApiOkResponse({ type: CheckedPlanResponse, description: 'With `dryRun`.' })
  @Refuses(
    'assignment_refused',
    'invalid_transition',
    'cross_project_link',
    'depth_limit',
    'child_limit',
    'link_exists',
    'link_limit',
    'dependency_cycle',
  )
  async create(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Body() { issues, dryRun }: PlanRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CreatedPlanResponse | CheckedPlanResponse> {
    const project = await this.projects.get(caller, projectId, 'Editor');
    if (dryRun) {
      response.status(200);
      return this.plans.check(caller, project, issues);
    }
    const created = await this.plans.create(caller, project, issues);
    response.location(`/api/projects/${project.id}/issues`);
    return { issues: created };
  }
}
