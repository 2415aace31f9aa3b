import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Forbidden, RoleTooLow } from '../../platform/authentication/authentication.errors.js';
import {
  actorOf,
  type Principal,
  rankOf,
  type Role,
  type UserPrincipal,
} from '../../platform/authentication/principals-and-roles.js';
import { MetricsService } from '../../platform/health/metrics.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import type { GateKind } from '../issue-status/issue-status.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository } from '../issue-status/issue.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import { requireRole } from '../projects/visibility.js';
import { type Effects, GateClosed, GateClosingService, refuseClosed } from './gate-closing.service.js';
import { Gate, type GateAnswer } from './gate.entity.js';
import { type GateFilter, GateRepository, type GateRow, type SeenGate } from './gate.repository.js';
import type { AnswerGateRequest, ListGatesQuery } from './gate.request.js';
import { GateResponse } from './gate.response.js';
import { answerOf } from './questions-and-answer-rules.service.js';
import { SealedArgumentsService } from './sealed-arguments.service.js';

/**
 * What an answer does beyond the gate, in the transaction of the answer and under the lock of its issue. Work outside
 * the database belongs into `TransactionsService.afterCommit`. An error refuses the answer.
 */
type AnswerHandler = (gate: GateRow, answer: GateAnswer) => Promise<Effects>;

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

/** One minute to one week. */
const BUCKETS = [1, 5, 15, 60, 240, 1_440, 4_320, 10_080];

/** Measures how long people take to answer (contract §8.1). */
@Injectable()
export class GateMetricsProvider {
  private readonly minutes;

  constructor(metrics: MetricsService) {
    const help = 'Minutes from the opening of a gate to its answer.';
    this.minutes = metrics.histogram('awp_gate_answer_minutes', help, ['kind'], BUCKETS);
  }

  answered(kind: GateKind, openedAt: Date, answeredAt: Date): void {
    this.minutes.observe({ kind }, Math.max(0, answeredAt.getTime() - openedAt.getTime()) / 60_000);
  }
}

/** Reads gates, and answers and withdraws them for people (contract §5.6). */
@Injectable()
export class GatesService {
  constructor(
    @InjectRepository(Gate) private readonly gates: GateRepository,
    private readonly args: SealedArgumentsService,
    private readonly closing: GateClosingService,
    private readonly handlers: GateHandlersService,
    private readonly metrics: GateMetricsProvider,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly projects: ProjectsService,
  ) {}

  async list(caller: Principal, query: ListGatesQuery, page: PageRequest): Promise<Page<GateResponse>> {
    const found = await this.gates.list(caller, await this.filterOf(caller, query), page);
    return { ...found, rows: await this.responses(caller, found.rows) };
  }

  /** @throws {NotFound} when there is no such gate, or the caller does not see it */
  async read(caller: Principal, id: string): Promise<GateResponse> {
    const gate = requireRole(caller, await this.gates.findSeen(caller, id), 'Viewer');
    const [response] = await this.responses(caller, [gate]);
    return response!;
  }

  /** @throws {GateClosed} when it is not the first answer */
  async answer(caller: UserPrincipal, id: string, body: AnswerGateRequest): Promise<GateResponse> {
    const gate = requireRole(caller, await this.gates.findSeen(caller, id), 'Editor');
    const needed = roleToAnswer(gate);
    if (gate.callerRank < rankOf(needed)) throw new RoleTooLow(needed);
    refuseClosed(gate);
    const answer = answerOf(gate, body);
    const closed = await this.closing.close(gate, { state: 'answered', answer, by: actorOf(caller) }, () =>
      this.handlers.effectsOf(gate, answer),
    );
    const response = await this.afterwards(caller, id, closed);
    this.metrics.answered(response.kind, response.openedAt, response.answeredAt ?? new Date());
    return response;
  }

  /** An agent withdraws what it opened itself. @throws {GateClosed} when it is closed */
  async withdraw(caller: Principal, id: string): Promise<GateResponse> {
    const seen = requireRole(caller, await this.gates.findSeen(caller, id), 'Editor');
    if (caller.type === 'agent' && seen.openedById !== caller.id)
      throw new Forbidden('An agent withdraws only the gates that it opened.');
    if (caller.type === 'user' && seen.issueId === null) requireRole(caller, seen, 'Admin');
    refuseClosed(seen);
    const closed = await this.closing.close(seen, { state: 'withdrawn', by: actorOf(caller) });
    return this.afterwards(caller, id, closed);
  }

  private async afterwards(caller: Principal, id: string, closed: boolean): Promise<GateResponse> {
    if (closed) return this.read(caller, id);
    const gate = await this.gates.findSeen(caller, id);
    throw gate ? new GateClosed(gate) : new NotFound();
  }

  private async responses(caller: Principal, rows: SeenGate[]): Promise<GateResponse[]> {
    const contexts = await this.gates.contextOf(rows.map(({ id }) => id));
    const isEditor = ({ callerRank }: SeenGate) => caller.type === 'user' && callerRank >= rankOf('Editor');
    const readable = rows.filter((row) => isEditor(row) || row.agentId === caller.id);
    // An agent reads what it sent. A mask would show which of its guesses are credentials.
    const args = await this.args.read(
      readable.filter(({ kind }) => kind === 'approval').map(({ id }) => id),
      caller.type === 'agent' ? 'exact' : 'shown',
    );
    return rows.map((row) =>
      GateResponse.from(row, { context: contexts.get(row.id), args: args.get(row.id) ?? null }),
    );
  }

  private async filterOf(caller: Principal, query: ListGatesQuery): Promise<GateFilter> {
    const { state, kind, agentId, projectId: project, issueId: issue } = query;
    const projectId = project === undefined ? undefined : (await this.projects.get(caller, project)).id;
    const seen = issue === undefined ? undefined : await this.issues.findSeen(caller, issue);
    if (seen === null)
      throw new ValidationFailed([{ path: 'issueId', message: 'names no issue that you can see' }]);
    return { state, kind, agentId, projectId, issueId: seen?.id };
  }
}

function roleToAnswer({ issueId, answerRole }: SeenGate): Role {
  return issueId === null ? 'Admin' : answerRole;
}
