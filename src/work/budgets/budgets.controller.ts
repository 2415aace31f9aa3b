import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Allow,
  AllowInProject,
  Caller,
} from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { BudgetResponse, limitsOf, SetBudgetRequest } from './budget.dto.js';
import { BudgetsService } from './budgets.service.js';

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
