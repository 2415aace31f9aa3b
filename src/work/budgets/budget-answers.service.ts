import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { UsageScope } from '../../agents/usage/usage-figures.js';
import { GateHandlersService } from '../gates/gate-handlers.service.js';
import type { GateAnswer, GateRow } from '../gates/gate-row.js';
import type { Measure } from './budget.js';
import { BudgetsRepository } from './budgets.repository.js';

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
    private readonly budgets: BudgetsRepository,
  ) {}

  onModuleInit(): void {
    this.handlers.whenAnswered('budget', (gate, answer) => this.answered(gate, answer));
  }

  /** Runs under the lock of the gate's issue, in the transaction of the answer. */
  private async answered({ id, request }: GateRow, answer: GateAnswer): Promise<{ pauses?: boolean }> {
    const { scope, scopeId, measure, startsOn } = request as unknown as BudgetRequest;
    if (!('decision' in answer)) return {};
    if (answer.decision === 'extend') {
      await this.budgets.extend(scopeId, startsOn, measure, 'by' in answer ? answer.by : null);
      return {};
    }
    await this.budgets.forgetGate(scopeId, id, scope !== 'issue');
    return { pauses: scope === 'issue' };
  }
}
