import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Raw } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { Problem } from '../../platform/http/problem.js';
import { type Actor, JournalService, SYSTEM } from '../../platform/journal/journal.service.js';
import { hasExactNumbers, jsonText } from '../../platform/json/exact-json.js';
import { GivenBackIssuesRepository } from '../issue-status/given-back-issues-and-attempts.repository.js';
import type { LockedIssue } from '../issue-status/issue-row-and-references.js';
import type { GateState } from '../issue-status/issue-status.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';
import { GateLockService } from './gate-opening.service.js';
import { type DueGate, type ExpiredGate, Gate, type GateAnswer } from './gate.entity.js';
import { GateRepository, type GateRow } from './gate.repository.js';

const EVENT_OF = {
  answered: 'gate.answered',
  expired: 'gate.expired',
  withdrawn: 'gate.withdrawn',
} as const;

/** How a gate ends. */
export interface Closing {
  state: Exclude<GateState, 'open'>;
  answer: GateAnswer | null;
  by: Actor;
  /** Whether it holds its issue on, until an approved call was executed. */
  keepsHolding: boolean;
  /** Whether its worker knows already, so that no pick-up has to carry it. */
  isDelivered: boolean;
  /** How the checks ended that it waited for, and what they were. */
  ended?: { outcome: 'passed' | 'failed'; result: Record<string, unknown> };
}

/** What a gate's end does to its issue. */
export interface Effects {
  /** It goes on holding the issue, until `complete`. */
  keepsHolding?: boolean;
  /** The issue comes back paused. */
  pauses?: boolean;
  /** The worker knows the answer, so that no pick-up carries it. */
  isDelivered?: boolean;
}

/** 409: someone or something else closed the gate first. It names who, and when. */
export class GateClosed extends Problem {
  constructor({ state, closedByName, closedByType: type, closedById: id, closedAt }: GateRow) {
    const by = type && { type, id, name: closedByName };
    super(
      'gate_closed',
      state === 'expired'
        ? `The gate expired at ${closedAt?.toISOString()}; nothing waits for it any more.`
        : `${closedByName} has ${state} the gate at ${closedAt?.toISOString()}; only the first answer counts.`,
      { members: { state, by, at: closedAt } },
    );
  }
}

/** Only the first end of a gate counts. @throws {GateClosed} where it has one */
export function refuseClosed(gate: GateRow): void {
  if (gate.state !== 'open') throw new GateClosed(gate);
}

/** Closes gates, and unblocks their issues in the same transaction (contract §5.6). */
@Injectable()
export class GateClosingService {
  constructor(
    @InjectRepository(Gate) private readonly gates: GateRepository,
    private readonly lock: GateLockService,
    private readonly statusChanges: StatusChangesService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
    private readonly givenBack: GivenBackIssuesRepository,
  ) {}

  /**
   * Closes an open gate. Of all that try, one gets true.
   * @param effects is called under the lock, after the gate has been found open, and before its issue moves on
   */
  close(
    gate: Pick<GateRow, 'id' | 'kind' | 'projectId' | 'issueId'>,
    {
      state,
      answer = null,
      by,
      ended,
    }: Pick<Closing, 'state' | 'by' | 'ended'> & Partial<Pick<Closing, 'answer'>>,
    effects: () => Promise<Effects> = () => Promise.resolve({}),
  ): Promise<boolean> {
    return this.lock.run(gate.issueId, async (issue) => {
      if (!(await this.gates.lockOpen(gate.id))) return false;
      const { keepsHolding = false, pauses = false, isDelivered = false } = await effects();
      await this.write(gate.id, { state, answer, by, keepsHolding, isDelivered, ended });
      await this.record(EVENT_OF[state], [gate], decisionIn(answer), by);
      if (issue && by.type === 'user') await this.givenBack.endWait([issue.id]);
      if (issue && !keepsHolding) await this.release(issue, gate.id, `gate_${state}`, pauses);
      return true;
    });
  }

  /**
   * Stores the end of an approved call, which releases the issue of its gate. @returns false when it is stored already
   */
  complete(
    gate: Pick<GateRow, 'id' | 'kind' | 'projectId' | 'issueId'>,
    outcome: string,
    result: unknown,
  ): Promise<boolean> {
    return this.lock.run(gate.issueId, async (issue) => {
      if (!(await this.store(gate.id, outcome, result))) return false;
      await this.record('gate.executed', [gate], { outcome }, SYSTEM);
      if (issue) await this.release(issue, gate.id, 'gate_executed', false);
      return true;
    });
  }

  /** Expires gates that are due, in a few statements whatever their number. @returns how many */
  async expireDue(limit: number): Promise<number> {
    const due = await this.findDue(limit);
    if (due.length === 0) return 0;
    return this.transactions.run(async () => {
      const expired = await this.gates.expire(await this.gates.lockIssuesOf(due));
      await this.record('gate.expired', expired, {}, SYSTEM);
      const issueIds = [...new Set(expired.flatMap(({ issueId }) => issueId ?? []))];
      await this.statusChanges.unblock(issueIds, { cause: 'gate_expired' });
      return expired.length;
    });
  }

  private async write(
    id: string,
    { state, answer, by, keepsHolding, isDelivered, ended }: Closing,
  ): Promise<void> {
    await this.gates.update(
      { id, state: 'open' },
      {
        ...{ state, answer: answer ?? undefined, closedAt: () => 'now()' },
        ...(!keepsHolding && { holds: false }),
        ...(ended && { outcome: ended.outcome, result: ended.result as object }),
        ...{ closedByType: by.type, closedById: by.id, closedByName: by.name },
        deliveredAt: isDelivered ? () => 'now()' : null,
      },
    );
  }

  /** @returns false when an end is stored already */
  private async store(id: string, outcome: string, result: unknown): Promise<boolean> {
    const exact = hasExactNumbers(result) ? jsonText(result) : null;
    const { affected } = await this.gates
      .createQueryBuilder()
      .update()
      .set({ outcome, result: () => ':result', resultExact: () => ':exact', holds: false })
      .where({ id, state: 'answered', kind: In(['approval', 'question']), outcome: IsNull() })
      .setParameters({ result: JSON.stringify(result ?? null), exact })
      .execute();
    return affected === 1;
  }

  /** Returns open gates that are due, by an index that holds open gates only. */
  private findDue(limit: number): Promise<DueGate[]> {
    return this.gates.find({
      select: { id: true, issueId: true },
      where: { state: 'open', expiresAt: Raw((column) => `${column} <= now()`) },
      order: { expiresAt: 'ASC' },
      take: limit,
    });
  }

  private async release(issue: LockedIssue, gateId: string, cause: string, pauses: boolean): Promise<void> {
    if (pauses && issue.status === 'WaitingOnDependency')
      await this.statusChanges.apply([issue], 'hold', 'WaitingOnDependency', { cause, gateId });
    await this.statusChanges.unblock([issue.id], { cause, gateId });
  }

  private async record(
    type: 'gate.answered' | 'gate.expired' | 'gate.withdrawn' | 'gate.executed',
    gates: ExpiredGate[],
    data: Record<string, unknown>,
    actor: Actor,
  ): Promise<void> {
    await this.journal.record(
      ...gates.map(({ id, kind, projectId, issueId }) => ({
        type,
        subject: { type: 'gate', id },
        projectId: issueId === null ? null : projectId,
        issueId,
        data: { gateId: id, kind, ...data },
        actor,
      })),
    );
  }
}

/** The decision of an answer, as the journal records it. */
function decisionIn(answer: GateAnswer | null): Record<string, unknown> {
  if (answer && 'decision' in answer) return { decision: answer.decision };
  return answer && 'passed' in answer ? { passed: answer.passed, reason: answer.reason } : {};
}

/** Expiry takes effect within 5 seconds (contract §5.6). */
const EVERY_MS = 1_500;

/** The most gates that one transaction expires. */
const AT_ONCE = 500;

/**
 * Expires gates. Every process whose role does background work looks, by one read of an index that holds open gates only.
 * Which process expires a gate is decided by its row.
 */
@Injectable()
export class GateExpiryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly failure = new RepeatedFailure(
    new Logger(GateExpiryWorker.name),
    'Gates that are due could not be expired and are tried again',
  );
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private stopping = false;

  constructor(
    private readonly closing: GateClosingService,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.duties.background) return;
    this.timer = setInterval(() => this.start(), EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    if (this.timer) clearInterval(this.timer);
    await this.round;
  }

  private start(): void {
    this.round ??= this.expire().finally(() => (this.round = null));
  }

  private async expire(): Promise<void> {
    try {
      while (!this.stopping && (await this.closing.expireDue(AT_ONCE)) === AT_ONCE);
      this.failure.succeeded();
    } catch (error) {
      this.failure.failed(error);
    }
  }
}
