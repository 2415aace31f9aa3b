import { Injectable } from '@nestjs/common';
import type { CallEnd } from '../../../../mcp/installed-servers/tools/call-outcome.js';
import { Settings } from '../../../../platform/config/settings.js';
import { Problem } from '../../../../platform/http/problem/problem.js';
import { GateAnswersRepository } from '../../../../work/gates/answers/gate-answers.repository.js';
import type { GateRow } from '../../../../work/gates/gate-row.js';
import { GatesRepository } from '../../../../work/gates/gates.repository.js';
import type { Exchange } from '../../calls/exchange.js';
import { problemResult, type ToolResult } from '../../calls/tool-result.js';
import { LeaseOver } from '../../leases/lease-over.js';
import { ApprovalOutdated, ApprovalPending, NotApproved } from '../approval.errors.js';
import { ApprovalParkingService } from './approval-parking.service.js';
import { ApprovalRequestsService } from './approval-requests.service.js';
import type { AskedCall } from '../asked-call.js';
import { DecisionWatchWorker } from './decision-watch.worker.js';
import { ExecutionOnceService } from '../execution/execution-once.service.js';
import { ApprovedCallStartService } from '../execution/approved-call-start.service.js';

/** A call that may be made now; `end` has to be called once. */
export interface Admitted {
  exchange: Exchange;
  gateId: string | null;
  end: (how: CallEnd, result?: object) => Promise<void>;
}

/** Whether a call may be made now. `reason` is for the record of one that may not. */
export type Admission = Admitted | { result: ToolResult; reason: string; gateId: string | null };

/** Lets calls of agents wait for the approval of a person (contract §5.7). */
@Injectable()
export class WaitingCallsService {
  constructor(
    private readonly requests: ApprovalRequestsService,
    private readonly waits: DecisionWatchWorker,
    private readonly parking: ApprovalParkingService,
    private readonly executions: ExecutionOnceService,
    private readonly moment: ApprovedCallStartService,
    private readonly gates: GatesRepository,
    private readonly answers: GateAnswersRepository,
    private readonly settings: Settings,
  ) {}

  /**
   * Asks a person, and waits for the decision as long as a caller can be kept waiting.
   * @throws {LeaseOver} when the lease of the call ended meanwhile
   */
  async admit(call: AskedCall, exchange: Exchange): Promise<Admission> {
    if (await this.requests.isApprovedForIssue(call))
      return { exchange, gateId: null, end: () => Promise.resolve() };
    try {
      const { gate, isNew } = await this.requests.open(call);
      return isNew ? await this.decided(gate, exchange) : refused(new ApprovalPending(gate), gate.id);
    } catch (error) {
      if (error instanceof Problem) return refused(error, null);
      throw error;
    }
  }

  private async decided(gate: GateRow, exchange: Exchange): Promise<Admission> {
    const gone = exchange.hungUp ? AbortSignal.any([exchange.signal, exchange.hungUp]) : exchange.signal;
    const end = await this.waits.wait(gate.id, this.settings.approvalWaitSeconds * 1000, gone);
    if (exchange.signal.reason instanceof LeaseOver) {
      await this.lost(gate);
      throw exchange.signal.reason;
    }
    if (end === 'gone') {
      await this.parking.leave(gate);
      return refused(new ApprovalPending(gate), gate.id);
    }
    // Parking ends the lease of the call, which must not turn the response into that of a lost lease.
    if (end === 'over') {
      exchange.leaveLease?.();
      if (await this.parking.park(gate)) return refused(new ApprovalPending(gate), gate.id);
    }
    return this.afterDecision(gate, exchange);
  }

  /** The lease ended under which the call was made: it may not begin any more, also where it was just approved. */
  private async lost(gate: GateRow): Promise<void> {
    await this.parking.withdraw(gate);
    if (await this.executions.begin(gate.id, 'waiting')) {
      const result = problemResult(new ApprovalOutdated(gate.id, 'lease_lost'));
      await this.executions.end(gate, { outcome: 'refused' }, result);
    } else await this.parking.leave(gate);
  }

  private async afterDecision(gate: GateRow, exchange: Exchange): Promise<Admission> {
    if (await this.executions.begin(gate.id, 'waiting')) return this.approved(gate, exchange);
    const closed = await this.gates.read(gate.id);
    if (closed?.state === 'open') return refused(new ApprovalPending(gate), gate.id);
    await this.answers.markDelivered([gate.id]);
    const { state = 'withdrawn', answer = null } = closed ?? {};
    // Another process has taken the call over, which believed this one to be dead.
    if (answer && 'decision' in answer && answer.decision === 'approve')
      return refused(new ApprovalPending(gate), gate.id);
    const note = answer && 'note' in answer ? answer.note : null;
    return refused(new NotApproved(gate.id, state === 'open' ? 'withdrawn' : state, note), gate.id);
  }

  private approved(gate: GateRow, exchange: Exchange): Admission {
    const { signal, hungUp } = exchange;
    return {
      exchange: { ...exchange, begin: this.moment.beginOf(gate.id, exchange.begin) },
      gateId: gate.id,
      end: (how, result) => {
        const isGone = signal.aborted || hungUp?.aborted === true;
        return this.executions.end(gate, how, isGone ? (result ?? problemResult(new LostResult(how))) : null);
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

function refused(problem: Problem, gateId: string | null): Admission {
  return { result: problemResult(problem), reason: problem.code, gateId };
}
