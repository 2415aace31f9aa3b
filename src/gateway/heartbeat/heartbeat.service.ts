import { Injectable } from '@nestjs/common';
import { AgentFailuresService } from '../../agents/agent-failures-over-budget-and-why.service.js';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { inSpan } from '../../platform/tracing/spans.js';
import { BudgetChecksService } from '../../work/budgets/budget-checks-stops-and-answers.service.js';
import type { IssueAnswer } from '../../work/gates/gate.entity.js';
import { type BriefField, changesBetween } from '../../work/issue-status/brief-changes.js';
import type { NamedLease, RenewedLease } from '../../work/issue-status/issue-lease.repository.js';
import { reasonFor, stopForAll, type StopReason } from '../../work/issue-status/stop-reasons.js';
import {
  heartbeatIntervalSeconds,
  IssueLeasesService,
} from '../../work/leases/lease-token-checks-renewals-heartbeat-interval.service.js';
import { type PickedUp, PickUpsService } from '../../work/leases/pick-ups.service.js';
import {
  CarriedAnswersService,
  type NewComment,
  NewCommentsRepository,
} from './turns-new-comments-and-answers.service.js';
import { type AgentState, HeartbeatRepository } from './heartbeat.repository.js';
import { type Stopped, type WorkItem, WorkListService } from './work-list-and-briefs.service.js';
import { type NamedProcess, WorkerInstancesService } from './worker-instances-and-connections.service.js';

/** A lease that a worker names: `reference` is the id or key that it sent, `id` null where that names no issue it sees. */
interface NamedIssue {
  reference: string;
  id: string | null;
  token: number;
}

type Stop = NamedIssue & { reason: StopReason; isSeen: boolean };

/** A lease that was renewed. */
export interface ActiveLease {
  id: string;
  /** As the worker named it. */
  issueId: string;
  token: number;
  expiresAt: Date;
  newComments: NewComment[];
  changed: BriefField[];
  answers: IssueAnswer[];
}

/** What a worker reports (contract §7.1). */
export interface HeartbeatCall {
  /** The leases that it holds, by the id or key of their issues; null where it names none. */
  leases: NamedLease[] | null;
  /** How many more issues it can take now; null for no limit of its own. */
  capacity: number | null;
  /** Its name among the agent's workers; null for a worker that keeps its leases itself. */
  worker: string | null;
  /** The process that works under that name; absent where the caller names none. */
  instance?: { id: string; takeOver: boolean } | null;
  /** Why it takes no more work until a person has acted; null while it takes work. */
  failing: string | null;
}

/** An issue that was handed out, with what people answered meanwhile. */
export type HandedOut = PickedUp & { answers: IssueAnswer[] };

/** Where the worker named an issue, `issueId` is what it sent, so that it recognises its own. */
export interface Heartbeat {
  agent: AgentState;
  pickedUp: HandedOut[];
  active: ActiveLease[];
  stop: { issueId: string; reason: StopReason }[];
  /** All leases of the worker; null where the request named no worker. */
  work: WorkItem[] | null;
  nextHeartbeatSeconds: number;
}

/** Handles heartbeats: a worker reports, learns what to stop, and gets work (contract §7.1). */
@Injectable()
export class HeartbeatService {
  constructor(
    private readonly heartbeats: HeartbeatRepository,
    private readonly failures: AgentFailuresService,
    private readonly comments: NewCommentsRepository,
    private readonly leases: IssueLeasesService,
    private readonly pickUps: PickUpsService,
    private readonly answers: CarriedAnswersService,
    private readonly workList: WorkListService,
    private readonly instances: WorkerInstancesService,
    private readonly settings: Settings,
    private readonly budgets: BudgetChecksService,
    private readonly transactions: TransactionsService,
  ) {}

  handle(caller: AgentPrincipal, call: HeartbeatCall): Promise<Heartbeat> {
    return inSpan('heartbeat', { attributes: { 'awp.agent.id': caller.id } }, async (span) => {
      const heartbeat = await this.answer(caller, call);
      const { pickedUp, active, stop } = heartbeat;
      span?.setAttributes({
        'awp.issues.picked_up': pickedUp.length,
        'awp.issues.active': active.length,
        'awp.issues.stopped': stop.length,
      });
      return heartbeat;
    });
  }

  private async answer(caller: AgentPrincipal, sent: HeartbeatCall): Promise<Heartbeat> {
    const process = processOf(caller.id, sent);
    const hasTakenName = process !== null && (await this.instances.admit(process, process.takeOver));
    // Leases that come with the name have tokens that the process does not know, so it has to start them.
    const call = hasTakenName ? { ...sent, leases: sent.leases ?? [] } : sent;
    let agent = await this.heartbeats.readAgent(caller.id);
    if (await this.failures.update(agent, call)) agent = await this.heartbeats.readAgent(caller.id);
    if (agent.lastSeenIsStale) await this.heartbeats.touch(caller.id);
    if (freeSlots(agent, call.capacity) === 0 && !(await this.holdsLeases(caller.id, call)))
      return this.result(agent, {
        pickedUp: [],
        active: [],
        stop: [],
        work: call.worker === null ? null : [],
      });
    return this.transactions.run(async () => {
      await this.heartbeats.lockAgent(caller.id);
      if (process) await this.instances.confirm(process);
      return this.serve(await this.heartbeats.readAgent(caller.id), call);
    });
  }

  private async holdsLeases(agentId: string, { leases, worker }: HeartbeatCall): Promise<boolean> {
    if (leases && leases.length > 0) return true;
    return worker !== null && (await this.leases.ofWorker(agentId, worker)).length > 0;
  }

  private async serve(agent: AgentState, call: HeartbeatCall): Promise<Heartbeat> {
    const named = await this.named(agent.id, call.leases ?? []);
    const own = call.worker === null ? [] : await this.leases.ofWorker(agent.id, call.worker);
    const renewed = await this.renew(agent, call, named, own);
    const stops = await this.stops(agent, named, own, renewed);
    const activeIssues = renewed.length > 0 ? await this.leases.countLive(agent.id) : agent.activeIssues;
    const capacity = capacityFor(call, named, renewed);
    const pickedUp = await this.pickUp({ ...agent, activeIssues }, { ...call, capacity }, stops);
    const again = call.worker === null ? [] : pickedUp.filter(wasHeld).map(({ issue }) => issue.id);
    const newComments = await this.newComments(agent.id, [
      ...renewed.map(({ issueId }) => issueId),
      ...again,
    ]);
    const heard = await this.leases.heardOf(agent.id, again);
    const names = namesIn(call.leases, named);
    const given = pickedUp.map(({ issue }) => issue.id);
    const answers = await this.answers.take(given, renewed, names);
    const stopped = stoppedOf(stops);
    const decided = { pickedUp, heard, renewed, stopped, newComments, answers, named: names };
    return this.result(
      { ...agent, activeIssues: activeIssues + pickedUp.length },
      {
        pickedUp: pickedUp.map((one) => ({
          ...one,
          answers: answers.filter(({ issueId }) => issueId === one.issue.id),
        })),
        active: renewed.map((lease) => activeOf(lease, named, newComments, answers)),
        stop: stops.map(({ reference, reason }) => ({ issueId: reference, reason })),
        work: call.worker === null ? null : await this.workList.list(decided),
      },
    );
  }

  private async named(agentId: string, leases: NamedLease[]): Promise<NamedIssue[]> {
    const ids = await this.leases.idsOf(
      agentId,
      leases.map(({ issueId }) => issueId),
    );
    return leases.map(({ issueId, token }) => ({ reference: issueId, id: ids.get(issueId) ?? null, token }));
  }

  private async renew(
    agent: AgentState,
    { worker }: HeartbeatCall,
    named: NamedIssue[],
    own: NamedLease[],
  ): Promise<RenewedLease[]> {
    const known = named.flatMap(({ id, token }) => (id === null ? [] : [{ issueId: id, token }]));
    if (stopForAll(agent) || known.length + own.length === 0) return [];
    return this.leases.renew(agent.id, [...known, ...own], worker);
  }

  /** The leases that are over: those that the worker names, and those of its own that it has not heard of. */
  private async stops(
    agent: AgentState,
    named: NamedIssue[],
    own: NamedLease[],
    renewed: RenewedLease[],
  ): Promise<Stop[]> {
    const isRenewed = (id: string | null) => renewed.some(({ issueId }) => issueId === id);
    const lost = named.filter(({ id }) => !isRenewed(id));
    const unheard = own
      .filter(({ issueId }) => !isRenewed(issueId) && !lost.some(({ id }) => id === issueId))
      .map(({ issueId, token }) => ({ reference: issueId, id: issueId, token }));
    const over = [...lost, ...unheard];
    const known = over.flatMap(({ id, token }) => (id === null ? [] : [{ issueId: id, token }]));
    const reasons =
      known.length > 0 ? await this.leases.stopReasons(agent.id, known) : new Map<string, StopReason>();
    return over.map((lease) => {
      const reason = lease.id === null ? undefined : reasons.get(lease.id);
      return { ...lease, reason: reasonFor(agent, reason), isSeen: reason !== undefined };
    });
  }

  private async newComments(agentId: string, issueIds: string[]): Promise<NewComment[]> {
    return issueIds.length === 0 ? [] : this.comments.find(agentId, issueIds);
  }

  /** A named worker is not handed an issue that the same response stops: it gets that with its next heartbeat. */
  private async pickUp(agent: AgentState, call: HeartbeatCall, stops: Stop[]): Promise<PickedUp[]> {
    const over = stops.flatMap(({ id }) => (id === null ? [] : [id]));
    if (call.worker !== null && !stopForAll(agent)) await this.leases.forget(agent.id, call.worker, over);
    const slots = freeSlots(agent, call.capacity);
    if (slots === 0) return [];
    const except = call.worker === null ? [] : over;
    return this.pickUps.pickUp(agent.id, slots, call.worker, except, (candidates) =>
      this.budgets.withheld(agent.id, candidates),
    );
  }

  private result(agent: AgentState, rest: Omit<Heartbeat, 'agent' | 'nextHeartbeatSeconds'>): Heartbeat {
    const { leaseSeconds } = this.settings;
    return { agent, ...rest, nextHeartbeatSeconds: heartbeatIntervalSeconds(leaseSeconds) };
  }
}

/** Whether an issue was held before, so that its agent may know an earlier state of it. */
function wasHeld({ token }: PickedUp): boolean {
  return token > 1;
}

/**
 * Returns how many issues an agent may be handed out now (contract §7.1).
 * @param capacity how many more its worker can take; null for no limit of its own
 */
function freeSlots(agent: AgentState, capacity: number | null): number {
  if (stopForAll(agent) || !agent.hasWork) return 0;
  const free = Math.max(0, agent.maxConcurrentIssues - agent.activeIssues);
  return capacity === null ? free : Math.min(free, capacity);
}

/** A lease that the worker does not name begins with this response, so it takes one of the slots that are offered. */
function capacityFor(
  { worker, leases, capacity }: HeartbeatCall,
  named: NamedIssue[],
  renewed: RenewedLease[],
): number | null {
  if (worker === null || leases === null || capacity === null) return capacity;
  const beginning = renewed.filter(({ issueId }) => !named.some(({ id }) => id === issueId));
  return Math.max(0, capacity - beginning.length);
}

const ofIssue =
  (id: string) =>
  ({ issueId }: { issueId: string }) =>
    issueId === id;

function activeOf(
  { issueId: id, token, expiresAt, heard, present }: RenewedLease,
  named: NamedIssue[],
  newComments: NewComment[],
  answers: IssueAnswer[],
): ActiveLease {
  return {
    id,
    issueId: named.find((issue) => issue.id === id)?.reference ?? id,
    token,
    expiresAt,
    newComments: newComments.filter(ofIssue(id)),
    changed: changesBetween(heard, present).changed,
    answers: answers.filter(ofIssue(id)),
  };
}

/** One stop per issue, also where the worker names it with several tokens. */
function stoppedOf(stops: Stop[]): Stopped[] {
  const perIssue = new Map(stops.map(({ id, reference, ...stop }) => [id ?? reference, stop]));
  return [...perIssue].map(([issueId, stop]) => ({ issueId, ...stop }));
}

/** The tokens that a request names, as `issueId token`; null for one that names no leases at all. */
function namesIn(leases: NamedLease[] | null, named: NamedIssue[]): ReadonlySet<string> | null {
  return leases && new Set(named.map(({ id, token }) => `${id} ${token}`));
}

/** Returns the process that a heartbeat names, and whether it takes the name over; null where it names none. */
function processOf(
  agentId: string,
  { worker, instance }: HeartbeatCall,
): (NamedProcess & { takeOver: boolean }) | null {
  if (worker === null || !instance) return null;
  return { agentId, worker, instance: instance.id, takeOver: instance.takeOver };
}
