import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type {
  CallEnd,
  CallOutcome,
  CallReason,
} from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import { actorOf, type AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound, Problem } from '../../platform/http/problem.js';
import { type Actor, SYSTEM } from '../../platform/journal/journal.service.js';
import { Gate } from '../../work/gates/gate.entity.js';
import { GateRepository, type GateRow } from '../../work/gates/gate.repository.js';
import { GateClosingService } from '../../work/gates/gate-closing.service.js';
import { GateOpeningService } from '../../work/gates/gate-opening.service.js';
import {
  type AskedCall,
  cancelKeyOf,
  CancelledByClient,
  type Exchange,
  LeaseOver,
  type SessionRequest,
} from '../calls/exchange.js';
import { problemResult } from '../calls/tool-results-and-refusals.js';
import {
  ApprovalOutdated,
  ApprovalPending,
  ApprovalRequestsService,
  NotApproved,
} from './approval-requests-and-errors.service.js';
import { DecisionWatchWorker } from './decision-watch.worker.js';
import { ExecutionOnceService } from './approved-executions.service.js';
import { createdTaskOf } from './tasks.service.js';
import { ToolApprovalRepository } from './tool-approval.repository.js';
import { ToolApproval } from './tool-approval.entity.js';

/** Thrown under the lock of an issue that is not the agent's any more. */
class NotItsIssue extends Error {}

/** Ends the wait of calls for a decision: from then on the gate holds the issue (contract §5.7). */
@Injectable()
export class ApprovalParkingService {
  constructor(
    private readonly opening: GateOpeningService,
    private readonly closing: GateClosingService,
    @InjectRepository(ToolApproval) private readonly approvals: ToolApprovalRepository,
    @InjectRepository(Gate) private readonly gates: GateRepository,
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

  /**
   * Withdraws the gate of a call that waits in another process, where this one got the client's notifications/cancelled,
   * unless another request waits for the same one. The process that has the call sees that it is closed.
   */
  async withdrawElsewhere(agent: AgentPrincipal, request: SessionRequest): Promise<void> {
    const gateId = await this.approvals.gateOfRequest(cancelKeyOf(request));
    const gate = gateId && (await this.gates.read(gateId));
    if (!gate || (await this.approvals.isPolled(gate.id))) return;
    await this.withdraw(gate, actorOf(agent));
  }
}

/** A call that may be made now; `end` has to be called once. */
export interface Admitted {
  exchange: Exchange;
  gateId: string | null;
  end: (how: CallEnd, result?: object) => Promise<void>;
}

/** A call that may not be made now. `reason` is for its record. */
export interface Refused {
  /** Of tools/call: for the agent's model, or a task. */
  result: Record<string, unknown>;
  reason: CallReason;
  gateId: string | null;
}

export type Admission = Admitted | Refused;

/** Lets calls of agents wait for the approval of a person (contract §5.7). */
@Injectable()
export class WaitingCallsService {
  constructor(
    private readonly requests: ApprovalRequestsService,
    private readonly waits: DecisionWatchWorker,
    private readonly parking: ApprovalParkingService,
    private readonly executions: ExecutionOnceService,
    @InjectRepository(ToolApproval) private readonly approvals: ToolApprovalRepository,
    @InjectRepository(Gate) private readonly gates: GateRepository,
    private readonly settings: Settings,
  ) {}

  /**
   * Asks a person, and waits for the decision as long as a caller can be kept waiting.
   * @throws {LeaseOver} when the lease of the call ended meanwhile
   */
  async admit(call: AskedCall, exchange: Exchange): Promise<Admission> {
    const approver = await this.requests.approverForIssue(call);
    if (approver && call.task !== 'now') return { exchange, gateId: null, end: () => Promise.resolve() };
    try {
      const { gate, isNew } = await this.requests.open(call);
      if (approver && isNew) await this.requests.approve(gate, approver);
      return isNew && call.task !== 'now' ? await this.decided(call, gate, exchange) : pending(call, gate);
    } catch (error) {
      if (error instanceof Problem) return refused(error, null);
      throw error;
    }
  }

  /** Waits until the new gate of a call is decided on. @throws {LeaseOver} */
  async decided(call: AskedCall, gate: GateRow, exchange: Exchange): Promise<Admission> {
    const gone = exchange.hungUp
      ? AbortSignal.any([exchange.signal, exchange.hungUp.signal])
      : exchange.signal;
    const end = await this.waits.wait(gate.id, this.settings.approvalWaitSeconds * 1000, gone);
    if (exchange.signal.reason instanceof LeaseOver) {
      await this.lost(gate);
      throw exchange.signal.reason;
    }
    if (exchange.signal.reason instanceof CancelledByClient) return this.cancelled(call, gate);
    if (end === 'gone') {
      await this.parking.leave(gate);
      return pending(call, gate);
    }
    // Parking ends the lease of the call, which must not turn the response into that of a lost lease.
    if (end === 'over') {
      exchange.leaveLease?.();
      if (await this.parking.park(gate)) return pending(call, gate);
    }
    return this.afterDecision(call, gate, exchange);
  }

  /** The lease ended under which the call was made: it may not begin any more, also where it was just approved. */
  private async lost(gate: GateRow): Promise<void> {
    await this.parking.withdraw(gate);
    await this.neverBegin(gate, 'refused', 'lease_lost');
  }

  /** Its client wants the call no more, also where it was just approved. Another request may wait for the same gate. */
  private async cancelled(call: AskedCall, gate: GateRow): Promise<Refused> {
    if (await this.approvals.isPolled(gate.id)) {
      await this.parking.leave(gate);
      return pending(call, gate);
    }
    await this.parking.withdraw(gate, actorOf(call.agent));
    await this.neverBegin(gate, 'cancelled', 'cancelled');
    return refused(new NotApproved(gate, 'withdrawn', null), gate.id);
  }

  private async neverBegin(gate: GateRow, outcome: CallOutcome, reason: CallReason): Promise<void> {
    if (await this.executions.begin(gate.id, 'waiting'))
      await this.executions.end(gate, { outcome }, problemResult(new ApprovalOutdated(gate.id, reason)));
    else await this.parking.leave(gate);
  }

  private async afterDecision(call: AskedCall, gate: GateRow, exchange: Exchange): Promise<Admission> {
    if (await this.executions.begin(gate.id, 'waiting')) return this.approved(gate, exchange);
    const closed = await this.gates.read(gate.id);
    if (closed?.state === 'open') return pending(call, gate);
    await this.gates.markDelivered([gate.id]);
    const { state = 'withdrawn', answer = null } = closed ?? {};
    // Another process has taken the call over, which believed this one to be dead.
    if (state === 'answered' && (gate.kind === 'question' || isApproval(answer))) return pending(call, gate);
    const note = answer && 'note' in answer ? answer.note : null;
    return refused(new NotApproved(gate, state === 'open' ? 'withdrawn' : state, note), gate.id);
  }

  private approved(gate: GateRow, exchange: Exchange): Admission {
    const { signal, hungUp } = exchange;
    return {
      exchange: { ...exchange, start: { ...exchange.start, approvedBy: gate.id } },
      gateId: gate.id,
      end: async (how, result) => {
        const isGone = signal.aborted || hungUp?.signal.aborted === true;
        const isKept = isGone || (await this.approvals.isPolled(gate.id));
        const kept = isKept ? (result ?? problemResult(new LostResult(how))) : null;
        await this.executions.end(gate, how, kept, !isGone);
      },
    };
  }
}

/** The caller of an approved call was gone before it ended. */
class LostResult extends Problem {
  constructor({ outcome }: CallEnd) {
    super(
      'unavailable',
      `The call was begun after its approval and ended without a result (${outcome}): check whether it was done before you repeat it.`,
    );
  }
}

function isApproval(answer: GateRow['answer']): boolean {
  return answer !== null && 'decision' in answer && answer.decision === 'approve';
}

/** The gate as a task, where the client accepts one. */
function pending({ task }: AskedCall, gate: GateRow): Refused {
  const refusal = refused(new ApprovalPending(gate), gate.id);
  return task ? { ...refusal, result: createdTaskOf(gate, task) } : refusal;
}

function refused(problem: Problem, gateId: string | null): Refused {
  return { result: problemResult(problem), reason: problem.code, gateId };
}
