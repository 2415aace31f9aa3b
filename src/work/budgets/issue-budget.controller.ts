import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../platform/auth/policy.js';
import type { UserPrincipal } from '../../platform/auth/principal.js';
import { BudgetsService } from './budgets.service.js';
import { BudgetResponse } from './dto/budget.response.js';
import { limitsOf, SetBudgetRequest } from './dto/set-budget.request.js';

@ApiTags('Usage')
@Controller('api/projects/issues/:issueId/budget')
export class IssueBudgetController {
  constructor(private readonly budgets: BudgetsService) {}

  /** Returns the budget of an issue, and what is used of it. */
  @Get()
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  async get(@Caller() caller: UserPrincipal, @Param('issueId') issueId: string): Promise<BudgetResponse> {
    return BudgetResponse.from(await this.budgets.get(caller, 'issue', issueId));
  }

  /** Sets the budget of an issue. A budget that is used up makes the issue wait for a decision. */
  @Put()
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  async put(
    @Caller() caller: UserPrincipal,
    @Param('issueId') issueId: string,
    @Body() body: SetBudgetRequest,
  ): Promise<BudgetResponse> {
    const limits = limitsOf(body);
    return BudgetResponse.from(await this.budgets.put(caller, 'issue', issueId, limits, body.period));
  }

  /** Removes the budget of an issue, if there is one. */
  @Delete()
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  async delete(@Caller() caller: UserPrincipal, @Param('issueId') issueId: string): Promise<void> {
    await this.budgets.delete(caller, 'issue', issueId);
  }
}
