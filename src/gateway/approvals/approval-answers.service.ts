import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Effects } from '../../work/gates/gate-closing.service.js';
import { GateHandlersService } from '../../work/gates/gates.service.js';
import { type GateAnswer } from '../../work/gates/gate.entity.js';
import { type GateRow } from '../../work/gates/gate.repository.js';
import { ToolApprovalRepository } from './tool-approval.repository.js';
import { DueExecutionsWorker } from './due-executions.worker.js';
import { ToolApproval } from './tool-approval.entity.js';

/** Decides who executes a call when a person answers its gate. */
@Injectable()
export class ApprovalAnswersService implements OnModuleInit {
  constructor(
    private readonly handlers: GateHandlersService,
    @InjectRepository(ToolApproval) private readonly approvals: ToolApprovalRepository,
    private readonly worker: DueExecutionsWorker,
    private readonly transactions: TransactionsService,
  ) {}

  onModuleInit(): void {
    this.handlers.whenAnswered('approval', (gate, answer) => this.answered(gate, answer));
    this.handlers.whenAnswered('question', (gate, answer) => this.answered(gate, answer));
  }

  /**
   * A caller that still waits executes the call itself, or returns the denial. Otherwise the service executes it, and the
   * issue waits until it has. A question that no server asked about a call has no call.
   */
  private async answered({ id, kind }: GateRow, answer: GateAnswer): Promise<Effects> {
    const call = await this.approvals.lock(id);
    if (call?.phase === 'waiting' && call.hasCaller) return { isDelivered: true };
    const isApproved = kind === 'question' || ('decision' in answer && answer.decision === 'approve');
    if (!isApproved || !(await this.approvals.approve(id))) return {};
    this.transactions.afterCommit(() => this.worker.wake());
    return { keepsHolding: true };
  }
}
