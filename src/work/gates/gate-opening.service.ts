import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService, TryAgain } from '../../platform/database/transactions.service.js';
import { Problem } from '../../platform/http/problem.js';
import { type Actor, JournalService } from '../../platform/journal/journal.service.js';
import type { LockedIssue } from '../issue-status/issue-row-and-references.js';
import { type GateKind, InvalidTransition, isUnresolved } from '../issue-status/issue-status.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';
import { Gate } from './gate.entity.js';
import { GateRepository, type GateRow } from './gate.repository.js';
import { type CallArguments, SealedArgumentsService } from './sealed-arguments.service.js';

/** Runs changes of gates in a transaction that holds what they may move. */
@Injectable()
export class GateLockService {
  constructor(
    private readonly transactions: TransactionsService,
    private readonly statusChanges: StatusChangesService,
  ) {}

  /**
   * Holds the issue of a gate, where it has one. Its dependents stay as they are, since a gate moves an issue only between
   * unresolved statuses, so the graph lock is not needed.
   * @throws {NotFound} when the issue has been deleted
   */
  run<T>(issueId: string | null, work: (issue: LockedIssue | null) => Promise<T>): Promise<T> {
    if (issueId === null) return this.transactions.run(() => work(null));
    return this.statusChanges.withIssueLock(issueId, { movesOthers: false }, work);
  }
}

/** The most open gates that an agent may have (contract §5.6). */
const GATES_PER_AGENT = 20;

/** The kinds that an agent opens and a person decides. */
const NEEDS_PEOPLE: ReadonlySet<string> = new Set<GateKind>(['question', 'approval']);

/** 429: an agent asks no further question while so many of its own wait for a person. */
class GateLimit extends Problem {
  constructor(limit: number) {
    super(
      'gate_limit',
      `You have ${limit} open gates, as many as an agent may have: wait until a person has answered one, or withdraw one.`,
    );
  }
}

/** A gate as other modules open it. */
export interface NewGate {
  kind: GateKind;
  /** The issue's project, or the one that the gate concerns without an issue; null for neither. */
  projectId: string | null;
  issueId: string | null;
  /** The agent whose work caused it. */
  agentId: string | null;
  /** One line. */
  title: string;
  detail?: string | null;
  options?: string[];
  recommended?: string | null;
  request: Record<string, unknown>;
  /** The arguments of a call, which are sealed and are not part of `request`. */
  arguments?: CallArguments;
  /** Default Editor. */
  answerRole?: 'Editor' | 'Admin';
  /** false lists the gate without ending the lease: `hold` makes the issue wait later. Default true. */
  holds?: boolean;
  /** At most one open gate has this key. */
  onceKey?: string;
  /** Default GATE_TTL_HOURS. A budget gate does not expire. */
  expiresInSeconds?: number;
  openedBy: Actor;
}

/** Opens gates (contract §5.6). */
@Injectable()
export class GateOpeningService {
  constructor(
    @InjectRepository(Gate) private readonly gates: GateRepository,
    private readonly args: SealedArgumentsService,
    private readonly lock: GateLockService,
    private readonly statusChanges: StatusChangesService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
    private readonly settings: Settings,
  ) {}

  /**
   * Opens a gate. One that holds its issue makes it wait and ends its lease in the same transaction, which may be the
   * caller's own. A gate with the `onceKey` of an open one is not opened: that one is returned.
   * @param decide is called under the lock of the issue, before anything is written; it may say that the gate holds nothing
   * @throws {InvalidTransition} on an issue that is resolved or closed
   * @throws {GateLimit} when the agent has too many that wait for people, budgets aside
   */
  open(
    gate: NewGate,
    decide?: (issue: LockedIssue) => Promise<Pick<NewGate, 'holds'> | void>,
  ): Promise<GateRow> {
    return this.transactions.run(async () => {
      if (gate.agentId !== null && NEEDS_PEOPLE.has(gate.kind)) await this.refuseTooMany(gate.agentId);
      return this.lock.run(gate.issueId, async (issue) => {
        if (issue) refuseEnded(issue);
        const decided = issue && decide ? await decide(issue) : undefined;
        return this.insert({ ...gate, ...decided }, issue);
      });
    });
  }

  /**
   * Makes the issue of an open gate wait for it and ends its lease, for an approval that did not come while the call
   * waited.
   * @param whenOpen is called under the lock of the gate, before anything is written
   * @returns false when the gate is closed
   */
  hold(
    { id, kind, issueId }: Pick<GateRow, 'id' | 'kind' | 'issueId'>,
    whenOpen: (issue: LockedIssue | null) => Promise<void>,
  ): Promise<boolean> {
    return this.lock.run(issueId, async (issue) => {
      if (!(await this.gates.lockOpen(id))) return false;
      await whenOpen(issue);
      if (!issue) return true;
      await this.gates.update({ id, state: 'open', issueId: Not(IsNull()) }, { holds: true });
      await this.statusChanges.block(issue, { cause: 'gate_opened', gateId: id, kind });
      return true;
    });
  }

  private async refuseTooMany(agentId: string): Promise<void> {
    await this.gates.lockAgent(agentId);
    const open = await this.gates.countBy({ agentId, state: 'open', kind: In([...NEEDS_PEOPLE]) });
    if (open >= GATES_PER_AGENT) throw new GateLimit(GATES_PER_AGENT);
  }

  private async insert(gate: NewGate, issue: LockedIssue | null): Promise<GateRow> {
    const { kind, issueId, onceKey = null, holds = true } = gate;
    const id = uuidv7();
    const inserted = await this.gates.open({
      ...gate,
      id,
      onceKey,
      holds: holds && issueId !== null,
      detail: gate.detail ?? null,
      options: gate.options ?? [],
      recommended: gate.recommended ?? null,
      answerRole: gate.answerRole ?? 'Editor',
      seconds: kind === 'budget' ? null : (gate.expiresInSeconds ?? this.settings.gateTtlSeconds),
    });
    if (!inserted) return this.present(onceKey!);
    if (gate.arguments) await this.args.put(id, gate.arguments);
    await this.record(id, gate);
    if (issue && holds) await this.statusChanges.block(issue, { cause: 'gate_opened', gateId: id, kind });
    return (await this.gates.read(id))!;
  }

  private async present(onceKey: string): Promise<GateRow> {
    const open = await this.gates.findOne({ select: { id: true }, where: { onceKey, state: 'open' } });
    const gate = open && (await this.gates.read(open.id));
    if (!gate) throw new TryAgain();
    return gate;
  }

  private async record(gateId: string, { kind, projectId, issueId, openedBy }: NewGate): Promise<void> {
    await this.journal.record({
      type: 'gate.opened',
      subject: { type: 'gate', id: gateId },
      projectId: issueId === null ? null : projectId,
      issueId,
      data: { gateId, kind },
      actor: openedBy,
    });
  }
}

function refuseEnded(issue: LockedIssue): void {
  if (isUnresolved(issue.status)) return;
  throw new InvalidTransition(
    issue,
    'WaitingOnDependency',
    `The issue is ${issue.status} and waits for nothing; reopen it first.`,
  );
}
