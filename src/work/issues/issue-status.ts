/** The statuses of an issue, in the order of the contract (spec §5.1). */
export const statuses = [
  'Open',
  'InProgress',
  'WaitingOnDependency',
  'PendingReview',
  'Resolved',
  'Closed',
] as const;
export type Status = (typeof statuses)[number];

/** What can move an issue. `put` is a caller's wish for a status; all others happen by themselves or by an action. */
export type Trigger =
  'put' | 'block' | 'reopenedBlocker' | 'unblock' | 'pickUp' | 'pause' | 'resume' | 'exhaust' | 'close';

interface Transition {
  trigger: Trigger;
  from: readonly Status[];
  to: Status;
  /** Agents may ask for it too, for the issue they work on. */
  agents?: true;
  /** Whether the issue must, or must not, be paused; left out: either. */
  paused?: boolean;
}

const notClosed = ['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved'] as const;

/**
 * THE table of states (spec §5.3): every path to a status goes through it. A reopened issue with unresolved
 * blockers goes on to WaitingOnDependency by `block`, in the same transaction.
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
  { trigger: 'resume', from: ['Open'], to: 'InProgress', paused: true },
  { trigger: 'exhaust', from: ['InProgress'], to: 'PendingReview' },
];

/** Where an issue stands: all that the table needs to know of it. */
export interface Standing {
  status: Status;
  paused: boolean;
}

/** An issue blocks others while it is unresolved. */
export function isUnresolved(status: Status): boolean {
  return status !== 'Resolved' && status !== 'Closed';
}

/** The row of the table that lets `trigger` move an issue to `to`, or null. */
export function transitionOf(standing: Standing, trigger: Trigger, to: Status): Transition | null {
  const fits = (row: Transition) =>
    row.trigger === trigger &&
    row.to === to &&
    row.from.includes(standing.status) &&
    (row.paused === undefined || row.paused === standing.paused);
  return transitions.find(fits) ?? null;
}

/** Read off the table once, since every issue in every list tells it. */
const allowedFrom = new Map(
  statuses.flatMap((status) =>
    [true, false].map((paused) => [
      `${status} ${paused}`,
      statuses.filter((to) => transitionOf({ status, paused }, 'put', to) !== null),
    ]),
  ),
);

/** What a user may ask for by PUT from here, in the order of the statuses; dependents are not looked at. */
export function allowedTransitions({ status, paused }: Standing): readonly Status[] {
  return allowedFrom.get(`${status} ${paused}`)!;
}

/** Paused lasts through waiting and back, and ends with resume or any other status. */
export function pausedAfter(standing: Standing, trigger: Trigger): boolean {
  if (trigger === 'pause') return true;
  return standing.paused && ['block', 'reopenedBlocker', 'unblock'].includes(trigger);
}
