import type { Agent, LinkType, NewIssue, Policy, Status } from './steps.js';

/** The state of an issue that the contract defines (contract §5.3, §7). */
export interface ModelIssue {
  number: number;
  status: Status;
  paused: boolean;
  priority: number;
  agent: Agent | null;
  /** The live lease. No time passes in a walk, so leases do not run out. */
  lease: { agent: Agent; token: number } | null;
  /** The last lease, once a pause or a blocker has ended it: then its worker hears of that also when it is over. */
  heldUp: { agent: Agent; reason: 'paused' | 'waiting' } | null;
  lastToken: number;
  /** Whether the work of its last lease was handed in while it waits: then it goes on to PendingReview. */
  handedIn: boolean;
  attempts: number;
  /** The agent that gave it back last, to which it is not handed out again. */
  heldOffFrom: Agent | null;
  /** Whether it has used up its budget. Then no agent gets it until a person has raised or removed that. */
  overBudget: boolean;
  /** Whether its budget has stopped it, and no person has decided since. */
  stoppedByBudget: boolean;
  /** The least number of changes to its own fields. */
  changes: number;
  /** The issue that it is a part of, and whether that one waits for it. */
  parent: ModelIssue | null;
  holds: boolean;
  /** The agent that created it; null where a person did. */
  by: Agent | null;
  deleted: boolean;
}

/** `from` blocks, is related to, or duplicates `to`. */
export interface ModelLink {
  number: number;
  from: ModelIssue;
  to: ModelIssue;
  type: Exclude<LinkType, 'BlockedBy'>;
  deleted: boolean;
}

/** A question on an issue, the decision on its budget, or checks, which hold it while they are open. */
export interface ModelGate {
  number: number;
  kind: 'question' | 'budget' | 'checks';
  issue: ModelIssue;
  open: boolean;
  /** Whether its issue is. */
  readonly deleted: boolean;
}

/** A schedule, whose times come when the walk says so (contract §5.11). */
export interface ModelSchedule {
  number: number;
  policy: Policy;
  template: NewIssue;
  last: ModelIssue | null;
  issues: number;
  failures: number;
  enabled: boolean;
  /** What its journal must have, as `ran`, `skipped unresolved` and `failed depth_limit`. */
  events: string[];
  deleted: false;
}

export const unresolved = ({ status }: ModelIssue) => status !== 'Resolved' && status !== 'Closed';

/** The graph of issues and its changes of status, written from the contract alone. */
export class TrackerModel {
  readonly issues: ModelIssue[] = [];
  readonly links: ModelLink[] = [];
  readonly gates: ModelGate[] = [];
  readonly schedules: ModelSchedule[] = [];

  get liveLinks(): ModelLink[] {
    return this.links.filter(({ deleted }) => !deleted);
  }

  /** A child that holds its parent blocks it. */
  dependentsOf(issue: ModelIssue): ModelIssue[] {
    return [...this.linkedTo(issue), ...(issue.parent && issue.holds ? [issue.parent] : [])];
  }

  /** The issues that links make wait for one. */
  linkedTo(issue: ModelIssue): ModelIssue[] {
    return this.liveLinks.filter(({ type, from }) => type === 'Blocks' && from === issue).map(({ to }) => to);
  }

  childrenOf(issue: ModelIssue): ModelIssue[] {
    return this.issues.filter(({ parent, deleted }) => parent === issue && !deleted);
  }

  /** The issues below one, the deepest of each branch first. */
  below(issue: ModelIssue): ModelIssue[] {
    return this.childrenOf(issue).flatMap((child) => [...this.below(child), child]);
  }

  /** How many levels an issue and those below it have. */
  height(issue: ModelIssue): number {
    return 1 + Math.max(0, ...this.childrenOf(issue).map((child) => this.height(child)));
  }

  /** On which level an issue is; the top is 1. */
  levelOf({ parent }: ModelIssue): number {
    return parent ? this.levelOf(parent) + 1 : 1;
  }

  isBlocked(issue: ModelIssue): boolean {
    return (
      this.gates.some((gate) => gate.open && gate.issue === issue) ||
      this.liveLinks.some(({ type, from, to }) => type === 'Blocks' && to === issue && unresolved(from)) ||
      this.childrenOf(issue).some((child) => child.holds && unresolved(child))
    );
  }

  /** Returns whether a path of blocking links leads from one issue to another. */
  leadsTo(from: ModelIssue, to: ModelIssue): boolean {
    return from === to || this.dependentsOf(from).some((next) => this.leadsTo(next, to));
  }

  addIssue(agent: Agent | null, priority: number, by: Agent | null = null): ModelIssue {
    const issue: ModelIssue = {
      number: this.issues.length,
      status: 'Open',
      paused: false,
      priority,
      agent,
      lease: null,
      heldUp: null,
      lastToken: 0,
      handedIn: false,
      attempts: 0,
      heldOffFrom: null,
      overBudget: false,
      stoppedByBudget: false,
      changes: 0,
      parent: null,
      holds: true,
      by,
      deleted: false,
    };
    this.issues.push(issue);
    return issue;
  }

  addLink(from: ModelIssue, to: ModelIssue, type: ModelLink['type']): void {
    this.links.push({ number: this.links.length, from, to, type, deleted: false });
  }

  addGate(issue: ModelIssue, kind: ModelGate['kind'] = 'question'): void {
    const gate = {
      number: this.gates.length,
      kind,
      issue,
      open: true,
      get deleted() {
        return issue.deleted;
      },
    };
    this.gates.push(gate);
    if (issue.status !== 'WaitingOnDependency') this.wait(issue);
  }

  hasLink(from: ModelIssue, to: ModelIssue, type: ModelLink['type']): boolean {
    const is = (a: ModelIssue, b: ModelIssue) =>
      this.liveLinks.some((link) => link.type === type && link.from === a && link.to === b);
    if (type === 'Blocks' && from.parent === to && from.holds) return true;
    return is(from, to) || (type === 'RelatedTo' && is(to, from));
  }

  /** Adds a blocking edge: the blocked issue waits, unless the blocker is finished. */
  block(blocker: ModelIssue, blocked: ModelIssue): void {
    if (!unresolved(blocker) || blocked.status === 'WaitingOnDependency') return;
    const wasFinished = !unresolved(blocked);
    this.wait(blocked);
    if (wasFinished) this.hold(this.dependentsOf(blocked));
  }

  /** Changes a status for a person or an agent, and unblocks or blocks the dependents. */
  move(issue: ModelIssue, status: Status, byPerson: boolean): void {
    const before = unresolved(issue);
    this.set(issue, status, false);
    if (byPerson) Object.assign(issue, { attempts: 0, heldOffFrom: null });
    if (before && !unresolved(issue)) this.release(this.dependentsOf(issue));
    if (before || !unresolved(issue)) return;
    if (this.isBlocked(issue)) this.wait(issue);
    this.hold(this.dependentsOf(issue));
  }

  /** Closes issues together, before the issues that waited for them are unblocked. */
  closeAll(issues: ModelIssue[]): void {
    for (const issue of issues) {
      this.set(issue, 'Closed', false);
      Object.assign(issue, { attempts: 0, heldOffFrom: null });
    }
    for (const issue of issues) this.release(this.dependentsOf(issue));
  }

  /** Changes one issue without its dependents, as pausing and resuming do. */
  set(issue: ModelIssue, status: Status, paused: boolean): void {
    if (issue.lease && status !== 'InProgress') issue.heldUp = heldUp(issue.lease.agent, status, paused);
    const handedIn = issue.handedIn && status === 'WaitingOnDependency';
    Object.assign(issue, { status, paused, handedIn, changes: issue.changes + 1 });
    if (status !== 'InProgress') issue.lease = null;
    if (!unresolved(issue)) for (const gate of this.gates) if (gate.issue === issue) gate.open = false;
  }

  /** A person has changed something of these issues, so that the agents that gave them back may get them again (§7.2). */
  endWait(...issues: ModelIssue[]): void {
    for (const issue of issues) issue.heldOffFrom = null;
  }

  /** Opens the issues that have no unresolved blocker left. */
  release(issues: ModelIssue[]): void {
    for (const issue of issues)
      if (issue.status === 'WaitingOnDependency' && !this.isBlocked(issue)) {
        if (issue.handedIn) this.set(issue, 'PendingReview', false);
        else this.set(issue, 'Open', issue.paused);
      }
  }

  remove(issue: ModelIssue): void {
    const dependents = this.dependentsOf(issue);
    for (const child of this.childrenOf(issue))
      Object.assign(child, { parent: null, holds: true, changes: child.changes + 1 });
    issue.deleted = true;
    for (const link of this.links) if (link.from === issue || link.to === issue) link.deleted = true;
    this.release(dependents);
  }

  /** Does something to issues, and takes it back unless `isKept` says that it stays. */
  attempt<Result>(work: () => Result, isKept: (result: Result) => boolean): Result {
    const issues = this.issues.map((issue) => ({ ...issue }));
    const links = this.links.map((link) => ({ ...link }));
    const open = this.gates.map((gate) => gate.open);
    const result = work();
    if (isKept(result)) return result;
    this.issues.length = issues.length;
    this.links.length = links.length;
    for (const [at, issue] of this.issues.entries()) Object.assign(issue, issues[at]);
    for (const [at, link] of this.links.entries()) Object.assign(link, links[at]);
    for (const [at, gate] of this.gates.entries()) gate.open = open[at]!;
    return result;
  }

  private hold(issues: ModelIssue[]): void {
    for (const issue of issues)
      if (['Open', 'InProgress', 'PendingReview'].includes(issue.status) && this.isBlocked(issue))
        this.wait(issue);
  }

  private wait(issue: ModelIssue): void {
    this.set(issue, 'WaitingOnDependency', issue.paused);
  }
}

function heldUp(agent: Agent, status: Status, paused: boolean): ModelIssue['heldUp'] {
  if (status === 'WaitingOnDependency') return { agent, reason: 'waiting' };
  return status === 'Open' && paused ? { agent, reason: 'paused' } : null;
}
