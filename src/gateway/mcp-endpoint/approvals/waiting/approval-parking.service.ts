import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../../../platform/database/transactions.service.js';
import { NotFound } from '../../../../platform/http/problem/problem.js';
import { SYSTEM, type Actor } from '../../../../platform/journal/journal-context.js';
import { GateClosingService } from '../../../../work/gates/gate-closing.service.js';
import { GateOpeningService } from '../../../../work/gates/gate-opening.service.js';
import type { GateRow } from '../../../../work/gates/gate-row.js';
import { ApprovalPhasesRepository } from '../approval-phases.repository.js';

/** Thrown under the lock of an issue that is not the agent's any more. */
class NotItsIssue extends Error {}

/** Ends the wait of calls for a decision: from then on the gate holds the issue (contract §5.7). */
@Injectable()
export class ApprovalParkingService {
  constructor(
    private readonly opening: GateOpeningService,
    private readonly closing: GateClosingService,
    private readonly approvals: ApprovalPhasesRepository,
    private readonly transactions: TransactionsService,
  ) {}

  /**
   * The wait is over: the gate holds its issue, and any process executes the call once it is approved.
   * @returns false where the gate was closed first; one on an issue of others is withdrawn
   */
  async park(gate: GateRow): Promise<boolean> {
    try {
      return await this.opening.hold(gate, async (issue) => {
        if (issue && issue.assignedAgentId !== gate.agentId) throw new NotItsIssue();
        await this.approvals.park(gate.id);
      });
    } catch (error) {
      if (error instanceof NotFound) return false;
      if (!(error instanceof NotItsIssue)) throw error;
      await this.withdraw(gate);
      return false;
    }
  }

  /** The caller is gone, maybe with its process. */
  async leave(gate: GateRow): Promise<void> {
    if (await this.park(gate)) return;
    await this.transactions.run(() => this.approvals.takeOver(gate.id));
  }

  /** The call may not begin any more: its lease ended, or its client cancelled it. */
  async withdraw(gate: GateRow, by: Actor = SYSTEM): Promise<void> {
    try {
      await this.closing.close(gate, { state: 'withdrawn', by }, () =>
        Promise.resolve({ isDelivered: true }),
      );
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  }
}
