import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../platform/auth/policy.js';
import type { Principal } from '../../platform/auth/principal.js';
import { GoalResponse } from './dto/goal.response.js';
import { UpdateGoalRequest } from './dto/update-goal.request.js';
import { GoalsService } from './goals.service.js';

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
