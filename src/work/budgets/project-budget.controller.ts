import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../platform/auth/policy.js';
import type { UserPrincipal } from '../../platform/auth/principal.js';
import { BudgetsService } from './budgets.service.js';
import { BudgetResponse } from './dto/budget.response.js';
import { limitsOf, SetBudgetRequest } from './dto/set-budget.request.js';

@ApiTags('Usage')
@Controller('api/projects/:projectId/budget')
export class ProjectBudgetController {
  constructor(private readonly budgets: BudgetsService) {}

  /** Returns the budget of a project, and what is used of it. */
  @Get()
  @AllowInProject({ role: 'Admin', agents: 'refused' })
  async get(@Caller() caller: UserPrincipal, @Param('projectId') projectId: string): Promise<BudgetResponse> {
    return BudgetResponse.from(await this.budgets.get(caller, 'project', projectId));
  }

  /** Sets the budget of a project. A budget that is used up stops all agents in the project. */
  @Put()
  @AllowInProject({ role: 'Admin', agents: 'refused' })
  async put(
    @Caller() caller: UserPrincipal,
    @Param('projectId') projectId: string,
    @Body() body: SetBudgetRequest,
  ): Promise<BudgetResponse> {
    const limits = limitsOf(body);
    return BudgetResponse.from(await this.budgets.put(caller, 'project', projectId, limits, body.period));
  }

  /** Removes the budget of a project, if there is one. */
  @Delete()
  @HttpCode(204)
  @AllowInProject({ role: 'Admin', agents: 'refused' })
  async delete(@Caller() caller: UserPrincipal, @Param('projectId') projectId: string): Promise<void> {
    await this.budgets.delete(caller, 'project', projectId);
  }
}
