import type { Status } from '../status/issue-status.js';
import type { StandingRow } from './leases.repository.js';

/** The reasons for which a worker must stop (contract §7). */
export const stopReasons = [
  'paused',
  'waiting',
  'reassigned',
  'in_review',
  'open',
  'resolved',
  'closed',
  'deleted',
  'lease_lost',
  'halted',
  'disabled',
  'budget',
] as const;
export type StopReason = (typeof stopReasons)[number];

const BY_STATUS: Record<Status, StopReason> = {
  Open: 'open',
  InProgress: 'lease_lost',
  WaitingOnDependency: 'waiting',
  PendingReview: 'in_review',
  Resolved: 'resolved',
  Closed: 'closed',
};

/** @param standing null when the issue was deleted or the agent no longer sees it; a worker cannot distinguish the two */
export function stopReasonOf(standing: StandingRow | null): StopReason {
  if (!standing) return 'deleted';
  if (!standing.mine) return 'reassigned';
  if (standing.paused && standing.status === 'Open') return 'paused';
  if (standing.overBudget && (standing.status === 'Open' || standing.status === 'WaitingOnDependency'))
    return 'budget';
  return BY_STATUS[standing.status];
}
