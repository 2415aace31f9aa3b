import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Problem } from '../../platform/http/problem.js';

/** Priorities, lowest first. The database stores and orders by the index. */
export const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const;
export type Priority = (typeof priorities)[number];

export function priorityNumber(priority: Priority): number {
  return priorities.indexOf(priority);
}

export function priorityName(number: number): Priority {
  return priorities[number]!;
}

/** What a gate asks a person for, or the checks of pull requests that it waits for (contract §5.6). */
export const gateKinds = ['approval', 'question', 'budget', 'checks'] as const;
export type GateKind = (typeof gateKinds)[number];

export const gateStates = ['open', 'answered', 'expired', 'withdrawn'] as const;
export type GateState = (typeof gateStates)[number];

/** Condition: a gate holds the issue up, as an unresolved blocker does. @param id SQL of the issue's id */
export const isHeld = (id: string) =>
  `EXISTS (SELECT 1 FROM gates holding WHERE holding.issue_id = ${id} AND holding.holds)`;

/** The statuses of an issue, in the order of the contract (contract §5.1). */
export const statuses = [
  'Open',
  'InProgress',
  'WaitingOnDependency',
  'PendingReview',
  'Resolved',
  'Closed',
] as const;
export type Status = (typeof statuses)[number];

/** What moves an issue. `put` is a caller's request for a status; the others are actions, or follow from other changes. */
export type Trigger =
  | 'put'
  | 'block'
  | 'reopenedBlocker'
  | 'unblock'
  | 'pickUp'
  | 'pause'
  | 'hold'
  | 'resume'
  | 'handIn'
  | 'exhaust'
  | 'close';

interface Transition {
  trigger: Trigger;
  from: readonly Status[];
  to: Status;
  /** Agents may request it too, for the issue that they work on. */
  agents?: true;
  /** Whether the issue must be paused, or must not be; absent: either. */
  paused?: boolean;
}

const notClosed = ['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved'] as const;

/**
 * The table of states (contract §5.3). Every change of status is one of its rows. A reopened issue that is blocked moves
 * on to WaitingOnDependency by `block`, in the same transaction. `hold` pauses an issue that waits: it comes back paused.
 * `handIn` of one that waits lets it go on waiting, and then to PendingReview instead of Open.
 */
export const transitions: readonly Transition[] = [
  { trigger: 'put', from: ['Open'], to: 'InProgress', paused: false },
  { trigger: 'put', from: ['InProgress'], to: 'Open', agents: true },
  { trigger: 'put', from: ['InProgress'], to: 'PendingReview', agents: true },
  { trigger: 'put', from: ['InProgress'], to: 'Resolved', agents: true },
  { trigger: 'put', from: ['PendingReview'], to: 'Open' },
  { trigger: 'put', from: ['PendingReview'], to: 'InProgress' },
  { trigger: 'put', from: ['Open', 'WaitingOnDependency', 'PendingReview'], to: 'Resolved' },
  { trigger: 'put', from: ['Resolved', 'Closed'], to: 'Open' },
  { trigger: 'put', from: notClosed, to: 'Closed' },
  { trigger: 'close', from: notClosed, to: 'Closed' },
  { trigger: 'block', from: notClosed, to: 'WaitingOnDependency' },
  { trigger: 'reopenedBlocker', from: ['Open', 'InProgress', 'PendingReview'], to: 'WaitingOnDependency' },
  { trigger: 'unblock', from: ['WaitingOnDependency'], to: 'Open' },
  { trigger: 'pickUp', from: ['Open'], to: 'InProgress', paused: false },
  { trigger: 'pause', from: ['InProgress'], to: 'Open' },
  { trigger: 'hold', from: ['WaitingOnDependency'], to: 'WaitingOnDependency' },
  { trigger: 'resume', from: ['Open'], to: 'InProgress', paused: true },
  {
    trigger: 'handIn',
    from: ['Open', 'InProgress', 'WaitingOnDependency'],
    to: 'PendingReview',
    agents: true,
  },
  { trigger: 'handIn', from: ['WaitingOnDependency'], to: 'WaitingOnDependency', agents: true },
  { trigger: 'exhaust', from: ['InProgress'], to: 'PendingReview' },
];

/** The state of an issue, as far as the table decides on it. */
export interface Standing {
  status: Status;
  paused: boolean;
}

/** An issue blocks others while it is unresolved. */
export function isUnresolved(status: Status): boolean {
  return status !== 'Resolved' && status !== 'Closed';
}

/** Returns the status of an issue that is created with blockers in these statuses (contract §5.3). */
export function statusOfNew(blockers: readonly Status[]): 'Open' | 'WaitingOnDependency' {
  return blockers.some(isUnresolved) ? 'WaitingOnDependency' : 'Open';
}

/** Returns the row of the table by which `trigger` moves an issue to `to`, or null. */
export function transitionOf(standing: Standing, trigger: Trigger, to: Status): Transition | null {
  const fits = (row: Transition) =>
    row.trigger === trigger &&
    row.to === to &&
    row.from.includes(standing.status) &&
    (row.paused === undefined || row.paused === standing.paused);
  return transitions.find(fits) ?? null;
}

/** Computed from the table once, since every issue in every list shows it. */
const allowedFrom = new Map(
  statuses.flatMap((status) =>
    [true, false].map((paused) => [
      `${status} ${paused}`,
      statuses.filter((to) => transitionOf({ status, paused }, 'put', to) !== null),
    ]),
  ),
);

/** Returns what a user may set by PUT from here, in the order of the statuses. Dependents are not considered. */
export function allowedTransitions({ status, paused }: Standing): readonly Status[] {
  return allowedFrom.get(`${status} ${paused}`)!;
}

/** Returns what the agent of an issue may set by PUT from here. */
export function allowedToAgent(standing: Standing): readonly Status[] {
  return allowedTransitions(standing).filter((to) => transitionOf(standing, 'put', to)?.agents);
}

/** A pause lasts through WaitingOnDependency and back; resume or any other change of status ends it. */
export function pausedAfter(standing: Standing, trigger: Trigger): boolean {
  if (trigger === 'pause' || trigger === 'hold') return true;
  return standing.paused && ['block', 'reopenedBlocker', 'unblock'].includes(trigger);
}

/** Returns what the caller may set by PUT: an agent changes only the issues that are assigned to it. */
export function allowedTransitionsOf(
  issue: Standing & { assignedAgentId: string | null },
  caller: Principal,
): readonly Status[] {
  if (caller.type === 'user') return allowedTransitions(issue);
  return issue.assignedAgentId === caller.id ? allowedToAgent(issue) : [];
}

/** 409: the table of states has no such transition. */
export class InvalidTransition extends Problem {
  constructor(standing: Standing, to: Status, detail?: string) {
    const allowed = allowedTransitions(standing);
    const next = allowed.length > 0 ? `From ${standing.status} it can go to ${allowed.join(', ')}.` : '';
    super(
      'invalid_transition',
      detail ?? `An issue that is ${standing.status} can't become ${to} this way. ${next}`,
      {
        members: { from: standing.status, to, allowed },
      },
    );
  }
}
