import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { Allow } from '../../platform/auth/policy.js';
import type { UserPrincipal } from '../../platform/auth/principal.js';
import { Refuses } from '../../platform/http/problem/refuses.decorator.js';
import { BudgetsService } from './budgets.service.js';
import { BudgetResponse } from './dto/budget.response.js';
import { limitsOf, SetBudgetRequest } from './dto/set-budget.request.js';

@ApiTags('Usage')
@Controller('api/agents/:agentId/budget')
export class AgentBudgetController {
  constructor(private readonly budgets: BudgetsService) {}

  /** Returns the budget of an agent, and what is used of it. */
  @Get()
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async get(@Caller() caller: UserPrincipal, @Param('agentId') agentId: string): Promise<BudgetResponse> {
    return BudgetResponse.from(await this.budgets.get(caller, 'agent', agentId));
  }

  /** Sets the budget of an agent. A budget that is used up stops all work of the agent. */
  @Put()
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async put(
    @Caller() caller: UserPrincipal,
    @Param('agentId') agentId: string,
    @Body() body: SetBudgetRequest,
  ): Promise<BudgetResponse> {
    const limits = limitsOf(body);
    return BudgetResponse.from(await this.budgets.put(caller, 'agent', agentId, limits, body.period));
  }

  /** Removes the budget of an agent, if there is one. */
  @Delete()
  @HttpCode(204)
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async delete(@Caller() caller: UserPrincipal, @Param('agentId') agentId: string): Promise<void> {
    await this.budgets.delete(caller, 'agent', agentId);
  }
}
