import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { withoutOrigin } from '../../platform/journal/journal.service.js';
import type { Effects } from '../../work/gates/gate-closing.service.js';
import { Gate, type GateAnswer } from '../../work/gates/gate.entity.js';
import { GateRepository, type GateRow } from '../../work/gates/gate.repository.js';
import { GateHandlersService } from '../../work/gates/gates.service.js';
import { SealedArgumentsService } from '../../work/gates/sealed-arguments.service.js';
import { toolFailure } from '../calls/tool-results-and-refusals.js';
import { ExecutionOnceService, ExecutionWithoutCallerService } from './approved-executions.service.js';
import { ToolApprovalRepository } from './tool-approval.repository.js';
import { ApprovalParkingService } from './waiting-and-parked-calls.service.js';
import { ToolApproval } from './tool-approval.entity.js';

/** Seconds after which a process that does not renew its executions is taken for dead. */
export const DEAD_AFTER_SECONDS = 20;

const UNKNOWN =
  'The service ended while this call ran, so it may have been done or not. Check before you repeat it.';

const EVERY_MS = 1_000;

/** The most approved calls that a process executes at once for callers who are gone. */
const AT_ONCE = 8;

/** The most calls that one look takes on. */
const PER_LOOK = 100;

/** Rounds between two deletions of arguments that are not needed any more. */
const DELETE_EVERY = 3;

/**
 * Executes approved calls whose callers are gone, and ends those whose process died: their outcome becomes `unknown`
 * (contract §5.7). Every process that answers
 * requests looks, by one read of an index that holds only such calls; which process acts on one is decided by its row.
 */
@Injectable()
export class DueExecutionsWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DueExecutionsWorker.name);
  private readonly failure = new RepeatedFailure(this.log, 'Approved calls could not be looked for');
  private readonly executing = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private rounds = 0;
  private readonly stopping = new AbortController();

  constructor(
    @InjectRepository(ToolApproval) private readonly approvals: ToolApprovalRepository,
    private readonly executions: ExecutionOnceService,
    private readonly parking: ApprovalParkingService,
    private readonly execution: ExecutionWithoutCallerService,
    @InjectRepository(Gate) private readonly gates: GateRepository,
    private readonly args: SealedArgumentsService,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.duties.requests) return;
    this.timer = setInterval(() => this.wake(), EVERY_MS).unref();
  }

  /** Calls that run are cancelled; it is unknown then whether their servers did them. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.stopping.abort();
    await this.round;
    await Promise.all(this.executing);
  }

  /** Looks at once. */
  wake(): void {
    if (this.stopping.signal.aborted) return;
    this.round ??= withoutOrigin(() => this.look()).finally(() => (this.round = null));
  }

  private async look(): Promise<void> {
    try {
      await this.approvals.renew(this.executions.runningHere());
      for (const { gateId, phase } of await this.approvals.due(PER_LOOK, DEAD_AFTER_SECONDS)) {
        if (phase === 'approved') this.start(gateId);
        else if (phase === 'executing') await this.abandon(gateId);
        else await this.leave(gateId);
      }
      this.rounds += 1;
      if (this.rounds % DELETE_EVERY === 0) await this.args.deleteUnneeded();
      this.failure.succeeded();
    } catch (error) {
      this.failure.failed(error);
    }
  }

  /** Ends a call whose process is gone. Whether its server did it is unknown, so it is never repeated. */
  private async abandon(gateId: string): Promise<void> {
    const gate = await this.gates.read(gateId);
    if (gate) await this.executions.end(gate, { outcome: 'unknown' }, toolFailure(UNKNOWN));
  }

  private async leave(gateId: string): Promise<void> {
    const gate = await this.gates.read(gateId);
    if (gate) await this.parking.leave(gate);
  }

  private start(gateId: string): void {
    if (this.executing.size >= AT_ONCE) return;
    const execution = this.execution
      .execute(gateId, this.stopping.signal)
      // Its row stays as it is. After a while it counts as one whose process died.
      .catch((error: unknown) => this.warn(`The approved call of gate ${gateId} could not be ended`, error))
      .finally(() => this.executing.delete(execution));
    this.executing.add(execution);
  }

  private warn(what: string, error: unknown): void {
    this.log.warn(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

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
