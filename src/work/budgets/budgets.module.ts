import { Module } from '@nestjs/common';
import { GatesModule } from '../gates/gates.module.js';
import { IssuesModule } from '../issues/issues.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AgentBudgetController } from './agent-budget.controller.js';
import { BudgetAnswersService } from './budget-answers.service.js';
import { BudgetChecksService } from './budget-checks.service.js';
import { BudgetPeriodsWorker } from './budget-periods.worker.js';
import { BudgetPlacesRepository } from './budget-places.repository.js';
import { BudgetStopsService } from './budget-stops.service.js';
import { BudgetsRepository } from './budgets.repository.js';
import { BudgetsService } from './budgets.service.js';
import { IssueBudgetController } from './issue-budget.controller.js';
import { ProjectBudgetController } from './project-budget.controller.js';

/** Limits of usage, which stop the work until a person raises them (contract §7.8). */
@Module({
  imports: [GatesModule, IssuesModule, ProjectsModule, UsageModule],
  controllers: [AgentBudgetController, IssueBudgetController, ProjectBudgetController],
  providers: [
    BudgetAnswersService,
    BudgetChecksService,
    BudgetPeriodsWorker,
    BudgetPlacesRepository,
    BudgetStopsService,
    BudgetsRepository,
    BudgetsService,
  ],
  exports: [BudgetChecksService],
})
export class BudgetsModule {}
