import { Injectable, Logger } from '@nestjs/common';
import type { CallEnd } from '../../../../mcp/installed-servers/tools/call-outcome.js';
import { TransactionsService } from '../../../../platform/database/transactions.service.js';
import { NotFound } from '../../../../platform/http/problem/problem.js';
import { SealedArgumentsRepository } from '../../../../work/gates/sealed-arguments/sealed-arguments.repository.js';
import { GateClosingService } from '../../../../work/gates/gate-closing.service.js';
import type { GateRow } from '../../../../work/gates/gate-row.js';
import { storedResult } from './stored-result.js';
import { ApprovalPhasesRepository } from '../approval-phases.repository.js';

type Gate = Pick<GateRow, 'id' | 'kind' | 'projectId' | 'issueId'>;

/** Begins and ends the execution of approved calls, each once (contract §5.7). */
@Injectable()
export class ExecutionOnceService {
  private readonly log = new Logger(ExecutionOnceService.name);
  /** The calls that this process executes. */
  private readonly running = new Set<string>();

  constructor(
    private readonly approvals: ApprovalPhasesRepository,
    private readonly args: SealedArgumentsRepository,
    private readonly closing: GateClosingService,
    private readonly transactions: TransactionsService,
  ) {}

  /** Claims a call for this process, before anything is sent. @returns false when it is not, or no longer, to execute */
  async begin(gateId: string, from: 'waiting' | 'approved'): Promise<boolean> {
    const isClaimed = await this.approvals.claim(gateId, from);
    if (isClaimed) this.running.add(gateId);
    return isClaimed;
  }

  /**
   * Stores how a call ended, and releases its issue. What cannot be stored becomes `unknown` after a while.
   * @param result kept for the agent; null where only its caller gets it
   * @param isDelivered whether a caller gets it
   */
  async end(
    gate: Gate,
    { outcome }: Pick<CallEnd, 'outcome'>,
    result: object | null,
    isDelivered = result === null,
  ): Promise<void> {
    this.running.delete(gate.id);
    const stored = result && storedResult({ ...result });
    try {
      await this.transactions.run(async () => {
        if (!(await this.closing.complete(gate, outcome, stored))) return;
        await this.approvals.finish(gate.id, isDelivered);
        await this.args.delete(gate.id);
      });
    } catch (error) {
      // The issue was deleted, and its gate with it.
      if (error instanceof NotFound) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.log.error(`The end of the approved call of gate ${gate.id} could not be stored: ${reason}`);
    }
  }

  /** Returns the gates of the calls that this process executes. */
  runningHere(): string[] {
    return [...this.running];
  }
}
