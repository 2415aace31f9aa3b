import type { Agent, NewIssue, Step, Status } from './steps.js';
import { TrackerModel, unresolved, type ModelIssue } from './tracker-model.js';

/** The response that the contract requires: its status, the code of a refusal, and the issue afterwards. */
export interface Expected {
  status: number;
  code?: string;
  issue?: ModelIssue;
}

/** The statuses that a person may set from each status (contract §5.3). */
const PUT: Record<Status, Status[]> = {
  Open: ['InProgress', 'Resolved', 'Closed'],
  InProgress: ['PendingReview', 'Open', 'Resolved', 'Closed'],
  WaitingOnDependency: ['Resolved', 'Closed'],
  PendingReview: ['InProgress', 'Open', 'Resolved', 'Closed'],
  Resolved: ['Open', 'Closed'],
  Closed: ['Open'],
};

const gone: Expected = { status: 404, code: 'not_found' };
const invalid: Expected = { status: 409, code: 'invalid_transition' };
const done: Expected = { status: 204 };
const cycle: Expected = { status: 409, code: 'dependency_cycle' };

const MOST_LEVELS = 8;

/** Applies what people do to the model, and returns the response that the service must give. */
export class ModelAnswers {
  constructor(private readonly model: TrackerModel) {}

  create(step: NewIssue): Expected {
    const { model } = this;
    const blocker = step.blocker === null ? null : this.issue(step.blocker);
    const parent = step.parent === null ? null : this.issue(step.parent);
    if (blocker?.deleted || parent?.deleted) return { status: 400, code: 'validation_failed' };
    const refusal = parent && this.refusedBelow(parent);
    if (refusal) return refusal;
    if (blocker && parent && step.holds && model.leadsTo(parent, blocker)) return cycle;
    const issue = model.addIssue(step.agent, step.priority);
    if (blocker && unresolved(blocker)) issue.status = 'WaitingOnDependency';
    if (parent) {
      this.addBelow(parent, issue, step.holds);
      model.endWait(parent);
    }
    if (!blocker) return { status: 201, issue };
    model.addLink(blocker, issue, 'Blocks');
    model.endWait(blocker);
    return { status: 201, issue };
  }

  place({ issue: number, parent: other, holds }: Step & { kind: 'place' }): Expected {
    const { model } = this;
    const issue = this.issue(number);
    if (issue.deleted) return gone;
    const parent = other === null ? null : this.issue(other);
    if (parent?.deleted || parent === issue) return { status: 400, code: 'validation_failed' };
    const after = { parent, holds: parent === null || holds };
    const { parent: old } = issue;
    if (old === parent && issue.holds === after.holds) return { status: 200, issue };
    const refusal = parent && this.refusedPlace(issue, parent, holds);
    if (refusal) return refusal;
    Object.assign(issue, { ...after, changes: issue.changes + 1 });
    model.endWait(issue, ...[old, parent].filter((end) => end !== null));
    if (!unresolved(issue)) return { status: 200, issue };
    if (old) model.release([old]);
    if (parent && holds) model.block(issue, parent);
    return { status: 200, issue };
  }

  /** @param of the issue of a lease that the agent believes it holds */
  split(agent: Agent, of: ModelIssue, holds: boolean): Expected {
    if (of.deleted) return { status: 400, code: 'validation_failed' };
    if ((of.agent !== agent && of.by !== agent) || of.status === 'Resolved')
      return { status: 403, code: 'forbidden' };
    const refusal = this.refusedBelow(of);
    if (refusal) return refusal;
    const issue = this.model.addIssue(null, 0, agent);
    this.addBelow(of, issue, holds);
    return { status: 201, issue };
  }

  private addBelow(parent: ModelIssue, issue: ModelIssue, holds: boolean): void {
    Object.assign(issue, { parent, holds });
    if (holds) this.model.block(issue, parent);
  }

  /** Why an issue takes no new one below it. */
  private refusedBelow(parent: ModelIssue): Expected | null {
    if (parent.status === 'Closed') return invalid;
    return this.model.levelOf(parent) >= MOST_LEVELS ? { status: 409, code: 'depth_limit' } : null;
  }

  private refusedPlace(issue: ModelIssue, parent: ModelIssue, holds: boolean): Expected | null {
    const { model } = this;
    if (parent.status === 'Closed' && unresolved(issue)) return invalid;
    if (model.below(issue).includes(parent)) return cycle;
    if (model.levelOf(parent) + model.height(issue) > MOST_LEVELS)
      return { status: 409, code: 'depth_limit' };
    if (!holds) return null;
    if (model.linkedTo(issue).includes(parent)) return { status: 409, code: 'link_exists' };
    return model.leadsTo(parent, issue) ? cycle : null;
  }

  put({ issue: number, status }: Step & { kind: 'put' }): Expected {
    const issue = this.issue(number);
    if (issue.deleted) return gone;
    if (issue.status === status) return { status: 200, issue };
    if (!PUT[issue.status].includes(status) || (status === 'InProgress' && issue.paused)) return invalid;
    const refusal = status === 'Closed' ? this.refusedClose(issue) : null;
    if (refusal) return refusal;
    this.model.move(issue, status, true);
    return { status: 200, issue };
  }

  close({ issue: number, force }: { issue: number; force: boolean }): Expected {
    const issue = this.issue(number);
    if (issue.deleted) return gone;
    if (issue.status === 'Closed') return done;
    const refusal = force ? null : this.refusedClose(issue);
    if (refusal) return refusal;
    this.model.closeAll([...this.model.below(issue).filter(unresolved), issue]);
    return done;
  }

  delete({ issue: number }: Step & { kind: 'delete' }): Expected {
    const issue = this.issue(number);
    if (issue.deleted) return gone;
    this.model.remove(issue);
    return done;
  }

  link({ issue: number, target: other, type }: Step & { kind: 'link' }): Expected {
    const [issue, target] = [this.issue(number), this.issue(other)];
    if (issue.deleted) return gone;
    if (target.deleted || issue === target) return { status: 400, code: 'validation_failed' };
    const [from, to] = type === 'BlockedBy' ? [target, issue] : [issue, target];
    const stored = type === 'BlockedBy' ? 'Blocks' : type;
    if (stored === 'Blocks' && to.status === 'Closed') return invalid;
    if (this.model.hasLink(from, to, stored)) return { status: 409, code: 'link_exists' };
    if (stored === 'Blocks' && this.model.leadsTo(to, from)) return cycle;
    this.model.addLink(from, to, stored);
    this.model.endWait(from, to);
    if (stored === 'Blocks') this.model.block(from, to);
    return { status: 201 };
  }

  unlink({ link: number }: Step & { kind: 'unlink' }): Expected {
    const link = this.model.links[number]!;
    if (link.deleted) return gone;
    link.deleted = true;
    this.model.endWait(link.from, link.to);
    if (link.type === 'Blocks') this.model.release([link.to]);
    return done;
  }

  ask({ issue: number }: { issue: number }, kind: 'question' | 'checks' = 'question'): Expected {
    const issue = this.issue(number);
    if (issue.deleted) return gone;
    if (!unresolved(issue)) return invalid;
    this.model.addGate(issue, kind);
    return { status: 201 };
  }

  /** An answer, a withdrawal and the end of its time do the same to the issue, but that the end is by no person. */
  closeGate(number: number, byPerson = true): Expected {
    const gate = this.model.gates[number]!;
    if (gate.deleted) return gone;
    if (!gate.open) return { status: 409, code: 'gate_closed' };
    gate.open = false;
    if (byPerson) this.model.endWait(gate.issue);
    this.model.release([gate.issue]);
    return { status: 200 };
  }

  /** `extend` closes the gate of a budget, and the issue is handed out again. */
  extendBudget(number: number): Expected {
    const expected = this.closeGate(number);
    if (expected.status === 200)
      Object.assign(this.model.gates[number]!.issue, { overBudget: false, stoppedByBudget: false });
    return expected;
  }

  /** `stop` closes the gate of a budget, and pauses the issue. The person who resumes it meets a new gate. */
  stopForBudget(number: number): Expected {
    const { issue } = this.model.gates[number]!;
    const expected = this.closeGate(number);
    if (expected.status !== 200) return expected;
    this.model.set(issue, issue.status, true);
    issue.stoppedByBudget = false;
    return expected;
  }

  /** A budget can be removed at any time, which withdraws its open gate. */
  removeBudget(number: number): Expected {
    const { issue } = this.model.gates[number]!;
    if (issue.deleted) return gone;
    const open = this.model.gates.filter(
      (gate) => gate.open && gate.kind === 'budget' && gate.issue === issue,
    );
    for (const gate of open) gate.open = false;
    if (open.length > 0) this.model.endWait(issue);
    Object.assign(issue, { overBudget: false, stoppedByBudget: false });
    this.model.release([issue]);
    return done;
  }

  pause({ issue: number }: Step & { kind: 'pause' }): Expected {
    const issue = this.issue(number);
    if (issue.deleted) return gone;
    if (issue.paused) return done;
    if (issue.status !== 'InProgress') return invalid;
    this.model.set(issue, 'Open', true);
    return this.byPerson(issue);
  }

  resume({ issue: number }: Step & { kind: 'resume' }): Expected {
    const issue = this.issue(number);
    if (issue.deleted) return gone;
    if (!issue.paused || issue.status === 'WaitingOnDependency') return invalid;
    this.model.set(issue, 'InProgress', false);
    return this.byPerson(issue);
  }

  assign({ issue: number, agent }: Step & { kind: 'assign' }): Expected {
    const issue = this.issue(number);
    if (issue.deleted) return gone;
    if (issue.agent === agent) return { status: 200, issue };
    if (issue.lease) issue.heldUp = null;
    Object.assign(issue, { agent, lease: null, changes: issue.changes + 1 });
    this.model.endWait(issue);
    return { status: 200, issue };
  }

  private byPerson(issue: ModelIssue): Expected {
    Object.assign(issue, { attempts: 0, heldOffFrom: null });
    return done;
  }

  private issue(number: number): ModelIssue {
    return this.model.issues[number]!;
  }

  private refusedClose(issue: ModelIssue): Expected | null {
    if (this.model.linkedTo(issue).some(unresolved)) return { status: 409, code: 'open_dependents' };
    return this.model.below(issue).some(unresolved) ? { status: 409, code: 'open_children' } : null;
  }
}
