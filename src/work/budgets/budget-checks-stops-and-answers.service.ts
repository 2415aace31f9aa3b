import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Counter } from 'prom-client';
import type { UsageScope } from '../../agents/usage-figures.response.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound } from '../../platform/http/problem.js';
import { SYSTEM } from '../../platform/journal/journal.service.js';
import { MetricsService } from '../../platform/health/metrics.service.js';
import { GateHandlersService } from '../gates/gates.service.js';
import { GateOpeningService, type NewGate } from '../gates/gate-opening.service.js';
import type { GateAnswer } from '../gates/gate.entity.js';
import type { GateRow } from '../gates/gate.repository.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';
import type { CandidateRow } from '../leases/pick-ups.service.js';
import { UsageTotal } from '../usage/usage.entities.js';
import { type UsageEntry, UsageTotalRepository } from '../usage/usage-sums-batches-and-retention.worker.js';
import {
  amountInWords,
  type BudgetRow,
  type Measure,
  reachedLimit,
  type ReachedLimit,
} from './budget-limits-and-amounts.js';
import { Budget } from './budget.entity.js';
import { type BudgetPlace, BudgetRepository } from './budget.repository.js';
import { InvalidTransition } from '../issue-status/issue-status.js';

/** What the gate of a budget says, as `BudgetStopsService` opened it. */
interface BudgetRequest {
  scope: UsageScope;
  scopeId: string;
  measure: Measure;
  startsOn: string;
}

/** Does what a person answers on the gate of a budget: extend it, or keep the work stopped (contract §7.8). */
@Injectable()
export class BudgetAnswersService implements OnModuleInit {
  constructor(
    private readonly handlers: GateHandlersService,
    @InjectRepository(Budget) private readonly budgets: BudgetRepository,
  ) {}

  onModuleInit(): void {
    this.handlers.whenAnswered('budget', (gate, answer) => this.answered(gate, answer));
  }

  /** Runs under the lock of the gate's issue, in the transaction of the answer. */
  private async answered({ id, request }: GateRow, answer: GateAnswer): Promise<{ pauses?: boolean }> {
    const { scope, scopeId, measure, startsOn } = request as unknown as BudgetRequest;
    if (!('decision' in answer)) return {};
    if (answer.decision === 'extend') {
      await this.budgets.extendLimit(scopeId, startsOn, measure, 'by' in answer ? answer.by : null);
      return {};
    }
    // But for that of an issue, nothing is handed out until the period ends.
    const ended = { gateId: null, ...(scope === 'issue' && { stoppedOn: null }) };
    await this.budgets.update({ scopeId, gateId: id }, ended);
    return { pauses: scope === 'issue' };
  }
}

/** Thrown where the budget was raised, or stopped by another request, before its row was locked. */
class NothingToStop extends Error {}

/**
 * Stops the work of a budget that is used up (contract §7.8): opens its gate, one at a time, and gives running issues
 * back without an attempt. The locks are those of issues, then those of leases, then that of the budget.
 */
@Injectable()
export class BudgetStopsService {
  constructor(
    @InjectRepository(Budget) private readonly budgets: BudgetRepository,
    private readonly gates: GateOpeningService,
    private readonly statusChanges: StatusChangesService,
    private readonly transactions: TransactionsService,
  ) {}

  /** @param among the measures that are looked at, as at the boundary that found the limit reached */
  async stop(budget: BudgetRow, among?: readonly Measure[]): Promise<void> {
    try {
      await this.transactions.run(() => this.stopNow(budget, among));
    } catch (error) {
      const isOver = error instanceof NothingToStop || error instanceof NotFound;
      // An issue that ended meanwhile needs no gate.
      if (!isOver && !(error instanceof InvalidTransition)) throw error;
    }
  }

  private async stopNow({ scope, scopeId }: BudgetRow, among?: readonly Measure[]): Promise<void> {
    const place = await this.budgets.placeOf(scope, scopeId);
    if (!place) throw new NothingToStop();
    if (scope === 'issue') return this.holdIssue(scopeId, place, among);
    const running = await this.budgets.lockRunning(scope, scopeId);
    const { budget, reached } = await this.lockReached(scopeId, among);
    const gate = await this.gates.open(gateOf(budget, reached, place));
    await this.budgets.update({ scopeId }, { stoppedOn: budget.startsOn, gateId: gate.id });
    await this.statusChanges.apply(running, 'put', 'Open', { cause: 'budget_reached', gateId: gate.id });
  }

  private async holdIssue(id: string, place: BudgetPlace, among?: readonly Measure[]): Promise<void> {
    const [known] = await this.budgets.findPresent([id]);
    const expected = known && reachedLimit(known, among);
    if (!expected) throw new NothingToStop();
    const gate = await this.gates.open(gateOf(known, expected, place), async () => {
      await this.budgets.lockLease(id);
      await this.lockReached(id, among);
    });
    await this.budgets.update({ scopeId: id }, { stoppedOn: known.startsOn, gateId: gate.id });
  }

  private async lockReached(
    id: string,
    among?: readonly Measure[],
  ): Promise<{ budget: BudgetRow; reached: ReachedLimit }> {
    const [budget] = await this.budgets.lock([id]);
    const reached = budget && !isStopped(budget) && reachedLimit(budget, among);
    if (!reached) throw new NothingToStop();
    return { budget, reached };
  }
}

/** The budget of an issue stops it by its gate alone: a person who resumes the issue later meets a new one. */
function isStopped({ stopped, scope, gateId }: BudgetRow): boolean {
  return stopped && (scope !== 'issue' || gateId !== null);
}

const PERIOD_WORDS = { day: 'today', month: 'this month', total: 'in all' } as const;

function gateOf(
  { scope, scopeId, period, startsOn }: BudgetRow,
  { measure, limit, used }: ReachedLimit,
  { name, projectId }: BudgetPlace,
): NewGate {
  return {
    kind: 'budget',
    projectId,
    issueId: scope === 'issue' ? scopeId : null,
    agentId: scope === 'agent' ? scopeId : null,
    title: `The budget of ${scope} ${name} is used up: ${amountInWords(measure, used, limit)} ${PERIOD_WORDS[period]}`,
    detail:
      scope === 'issue'
        ? '"extend" lets the work go on. "stop" pauses the issue.'
        : '"extend" lets the work go on. "stop" keeps it stopped until the period ends.',
    request: { scope, scopeId, measure, limit, used, period, startsOn },
    onceKey: `budget ${scopeId} ${startsOn}`,
    openedBy: SYSTEM,
  };
}

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
