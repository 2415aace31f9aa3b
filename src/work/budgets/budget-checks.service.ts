import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Counter } from 'prom-client';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { MetricsService } from '../../platform/health/metrics.service.js';
import type { CandidateRow } from '../leases/pick-ups.service.js';
import { UsageTotal } from '../usage/usage.entities.js';
import { type UsageEntry, UsageTotalRepository } from '../usage/usage-total.repository.js';
import { BudgetStopsService } from './budget-stops-and-answers.service.js';
import { type BudgetRow, type Measure, reachedLimit } from './budget.js';
import { Budget } from './budget.entity.js';
import { BudgetRepository } from './budget.repository.js';

/** Whose budgets apply. */
export interface Spender {
  agentId: string;
  issue: { id: string; projectId: string } | null;
}

/** What grows without a boundary of its own: a heartbeat that reports usage looks at these alone. */
const REPORTED: readonly Measure[] = ['tokens', 'costMicros', 'wallSeconds'];

/** Checks budgets before each pick-up, turn and tool call (contract §7.8). */
@Injectable()
export class BudgetChecksService {
  private readonly refusals: Counter<'boundary'>;

  constructor(
    @InjectRepository(Budget) private readonly budgets: BudgetRepository,
    private readonly reached: BudgetStopsService,
    @InjectRepository(UsageTotal) private readonly sums: UsageTotalRepository,
    private readonly transactions: TransactionsService,
    metrics: MetricsService,
  ) {
    const help = 'What was refused because a budget is used up, by boundary.';
    this.refusals = metrics.counter('awp_budget_refusals_total', help, ['boundary']);
  }

  /**
   * Counts a turn or a tool call, unless a budget is used up. The budgets stay locked until it is counted, so that
   * requests at the same time together never exceed a limit of turns or calls.
   * @returns `none` where no budget applies, and nothing was counted; `refused` where one is used up
   */
  async spend(
    spender: Spender,
    boundary: 'turn' | 'tool_call',
    spent: Pick<UsageEntry, 'turns' | 'reportedTurns' | 'toolCalls'>,
  ): Promise<'none' | 'counted' | 'refused'> {
    return this.transactions.run(async () => {
      const budgets = await this.budgets.lock(idsOf(spender));
      if (budgets.length === 0) return 'none';
      if (this.refuse(budgets, boundary)) return 'refused';
      const { agentId, issue } = spender;
      await this.sums.add([{ agentId, issueId: issue?.id ?? null, projectId: issue?.projectId, ...spent }]);
      return 'counted';
    });
  }

  /** Returns those of these issues that cannot be handed to the agent, since a budget is used up. */
  async withheld(agentId: string, candidates: CandidateRow[]): Promise<string[]> {
    const ids = new Set([agentId, ...candidates.flatMap(({ id, projectId }) => [id, projectId])]);
    const reached = (await this.budgets.findPresent([...ids])).filter((budget) => reachedLimit(budget));
    if (reached.length === 0) return [];
    this.refuse(reached, 'pick_up');
    const over = new Set(reached.map(({ scopeId }) => scopeId));
    const isOver = ({ id, projectId }: CandidateRow) => [agentId, id, projectId].some((one) => over.has(one));
    return candidates.filter(isOver).map(({ id }) => id);
  }

  /** Stops the agent's work where a report of usage has just used up a budget. */
  async afterReport(agentId: string): Promise<void> {
    const budgets = await this.budgets.findPresent(await this.budgets.workOf(agentId));
    for (const budget of budgets)
      if (reachedLimit(budget, REPORTED)) await this.reached.stop(budget, REPORTED);
  }

  /** Whether one of the budgets is used up. Each that is new so is stopped once the transaction has ended. */
  private refuse(budgets: BudgetRow[], boundary: string): boolean {
    const reached = budgets.filter((budget) => reachedLimit(budget));
    if (reached.length === 0) return false;
    this.transactions.afterCommit(async () => {
      this.refusals.inc({ boundary });
      for (const budget of reached) await this.reached.stop(budget);
    });
    return true;
  }
}

function idsOf({ agentId, issue }: Spender): string[] {
  return [agentId, ...(issue ? [issue.id, issue.projectId] : [])];
}
