import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Budget } from './budget.entity.js';
import { GatesModule } from '../gates/gates.module.js';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { UsageModule } from '../usage/usage.module.js';
import {
  BudgetAnswersService,
  BudgetChecksService,
  BudgetStopsService,
} from './budget-checks-stops-and-answers.service.js';
import { BudgetRepository } from './budget.repository.js';
import {
  AgentBudgetController,
  IssueBudgetController,
  ProjectBudgetController,
} from './budgets.controller.js';
import { BudgetPeriodsWorker, BudgetsService } from './budgets.service.js';

/** Limits of usage, which stop the work until a person raises them (contract §7.8). */
@Module({
  imports: [TypeOrmModule.forFeature([Budget]), GatesModule, IssueStatusModule, ProjectsModule, UsageModule],
  controllers: [AgentBudgetController, IssueBudgetController, ProjectBudgetController],
  providers: [
    BudgetAnswersService,
    BudgetChecksService,
    BudgetPeriodsWorker,
    BudgetStopsService,
    BudgetRepository,
    { provide: getRepositoryToken(Budget), useExisting: BudgetRepository },
    BudgetsService,
  ],
  exports: [BudgetChecksService],
})
export class BudgetsModule {}
