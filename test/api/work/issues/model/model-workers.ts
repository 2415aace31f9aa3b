import type { Expected } from './model-answers.js';
import type { Agent, Status, Step } from './steps.js';
import type { ModelIssue, TrackerModel } from './tracker-model.js';

/** The number of issues that an agent may work on at a time in the walks. */
export const MAX_CONCURRENT = 3;
const MAX_ATTEMPTS = 5;

/** A lease that a worker believes it holds. */
export interface BelievedLease {
  issue: ModelIssue;
  token: number;
}

export interface ExpectedBeat {
  pickedUp: BelievedLease[];
  active: ModelIssue[];
  stop: { issue: ModelIssue; reason: string }[];
}

const REASONS: Record<Status, string> = {
  Open: 'open',
  InProgress: 'lease_lost',
  WaitingOnDependency: 'waiting',
  PendingReview: 'in_review',
  Resolved: 'resolved',
  Closed: 'closed',
};

/** The agents of a walk, one worker each, and the required results of their heartbeats and changes (contract §7). */
export class ModelWorkers {
  /** The status with which an agent ended a lease, by `issue agent token`: the same PUT again changes nothing (§7.2). */
  private readonly finishes = new Map<string, Status>();
  private readonly believed: Record<Agent, BelievedLease[]> = { 0: [], 1: [] };

  constructor(private readonly model: TrackerModel) {}

  leasesOf(agent: Agent): BelievedLease[] {
    return this.believed[agent];
  }

  beat({ agent, capacity }: Step & { kind: 'beat' }): ExpectedBeat {
    const named = this.believed[agent];
    const active = named.filter((lease) => this.isGood(agent, lease)).map(({ issue }) => issue);
    const stop = named
      .filter((lease) => !this.isGood(agent, lease))
      .map(({ issue }) => ({ issue, reason: reasonFor(agent, issue) }));
    const pickedUp = this.offered(agent, this.slots(agent, capacity)).map((issue) => this.give(agent, issue));
    this.believed[agent] = [...named.filter((lease) => this.isGood(agent, lease)), ...pickedUp];
    return { pickedUp, active, stop };
  }

  goodLeasesOf(agent: Agent): BelievedLease[] {
    return this.believed[agent].filter((lease) => this.isGood(agent, lease));
  }

  /** The report comes with a heartbeat that takes no work: its issue waits before the heartbeat is answered. */
  overspend(agent: Agent, issue: ModelIssue): ExpectedBeat {
    this.holdForBudget(issue);
    return this.beat({ kind: 'beat', agent, capacity: 0 });
  }

  put({ agent, lease: number, status }: Step & { kind: 'agentPut' }): Expected {
    const lease = this.believed[agent][number % this.believed[agent].length]!;
    const { issue } = lease;
    if (issue.deleted) return { status: 404, code: 'not_found' };
    if (issue.agent !== agent) return { status: 403, code: 'not_yours' };
    const end = `${issue.number} ${agent} ${lease.token}`;
    if (this.finishes.get(end) === status) return { status: 200, issue };
    if (!this.isGood(agent, lease)) {
      if (status !== 'PendingReview' || !isHeldUp(agent, lease)) return { status: 409, code: 'lease_lost' };
      this.finishes.set(end, status);
      return this.handIn(issue);
    }
    this.finishes.set(end, status);
    if (status === 'Open') return this.giveBack(agent, issue);
    this.model.move(issue, status, false);
    return { status: 200, issue };
  }

  /** Work that was finished when a pause or a blocker ended its lease is not thrown away (§7.2). */
  private handIn(issue: ModelIssue): Expected {
    if (issue.status === 'WaitingOnDependency') Object.assign(issue, { handedIn: true, paused: false });
    else this.model.move(issue, 'PendingReview', false);
    return { status: 200, issue };
  }

  private giveBack(agent: Agent, issue: ModelIssue): Expected {
    Object.assign(issue, { attempts: issue.attempts + 1, heldOffFrom: agent });
    this.model.move(issue, issue.attempts >= MAX_ATTEMPTS ? 'PendingReview' : 'Open', false);
    return { status: 200, issue };
  }

  private give(agent: Agent, issue: ModelIssue): BelievedLease {
    if (issue.status === 'Open') this.model.set(issue, 'InProgress', false);
    issue.lastToken += 1;
    issue.lease = { agent, token: issue.lastToken };
    issue.heldUp = null;
    return { issue, token: issue.lastToken };
  }

  /** Returns first the issues in progress without a lease, then the open ones, each by priority, then age. */
  private candidates(agent: Agent): ModelIssue[] {
    const mine = this.model.issues.filter(
      (issue) => !issue.deleted && issue.agent === agent && !issue.paused,
    );
    const going = mine.filter(({ status, lease }) => status === 'InProgress' && lease === null);
    const open = mine.filter(({ status, heldOffFrom }) => status === 'Open' && heldOffFrom !== agent);
    const byPriority = (a: ModelIssue, b: ModelIssue) => b.priority - a.priority || a.number - b.number;
    return [...going.toSorted(byPriority), ...open.toSorted(byPriority)];
  }

  /** Issues over their budget are passed over, and wait for a decision; as many further ones are looked at. */
  private offered(agent: Agent, slots: number): ModelIssue[] {
    const candidates = this.candidates(agent);
    const taken: ModelIssue[] = [];
    for (let seen = 0; taken.length < slots;) {
      const found = candidates.slice(seen, seen + slots - taken.length);
      seen += found.length;
      const over = found.filter(({ overBudget }) => overBudget);
      taken.push(...found.filter(({ overBudget }) => !overBudget));
      for (const issue of over) this.holdForBudget(issue);
      if (over.length === 0) break;
    }
    return taken;
  }

  private holdForBudget(issue: ModelIssue): void {
    Object.assign(issue, { overBudget: true, stoppedByBudget: true });
    this.model.addGate(issue, 'budget');
  }

  private slots(agent: Agent, capacity: number | null): number {
    const live = this.model.issues.filter(({ deleted, lease }) => !deleted && lease?.agent === agent).length;
    return Math.max(0, Math.min(MAX_CONCURRENT - live, capacity ?? MAX_CONCURRENT));
  }

  private isGood(agent: Agent, { issue, token }: BelievedLease): boolean {
    return !issue.deleted && issue.lease?.agent === agent && issue.lease.token === token;
  }
}

/** Whether the lease is the last one of its issue, and ended with a pause or a blocker, and nothing came of it since. */
function isHeldUp(agent: Agent, { issue, token }: BelievedLease): boolean {
  if (issue.lease !== null || token !== issue.lastToken) return false;
  if (issue.status === 'Open' && issue.paused) return true;
  return (
    issue.heldUp?.agent === agent && ['Open', 'InProgress', 'WaitingOnDependency'].includes(issue.status)
  );
}

function reasonFor(agent: Agent, issue: ModelIssue): string {
  if (issue.deleted) return 'deleted';
  if (issue.agent !== agent) return 'reassigned';
  if (issue.paused && issue.status === 'Open') return 'paused';
  const isHeld = issue.status === 'Open' || issue.status === 'WaitingOnDependency';
  if (issue.stoppedByBudget && isHeld) return 'budget';
  const isOver = issue.status === 'Open' || issue.status === 'InProgress';
  return isOver && issue.heldUp?.agent === agent ? issue.heldUp.reason : REASONS[issue.status];
}
