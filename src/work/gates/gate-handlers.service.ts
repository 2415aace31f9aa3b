import { Injectable } from '@nestjs/common';
import type { GateKind } from '../issue-status/issue-status.js';
import type { Effects } from './gate-closing.service.js';
import type { GateAnswer } from './gate.entity.js';
import type { GateRow } from './gate.repository.js';

/**
 * What an answer does beyond the gate, in the transaction of the answer and under the lock of its issue. Work outside
 * the database belongs into `TransactionsService.afterCommit`. An error refuses the answer.
 */
export type AnswerHandler = (gate: GateRow, answer: GateAnswer) => Promise<Effects>;

/**
 * The handlers of answers by kind. A module above, such as the one of budgets or of approved calls, registers its own at
 * start; a question has none.
 */
@Injectable()
export class GateHandlersService {
  private readonly handlers = new Map<GateKind, AnswerHandler>();

  whenAnswered(kind: GateKind, handler: AnswerHandler): void {
    this.handlers.set(kind, handler);
  }

  effectsOf(gate: GateRow, answer: GateAnswer): Promise<Effects> {
    return this.handlers.get(gate.kind)?.(gate, answer) ?? Promise.resolve({});
  }
}
