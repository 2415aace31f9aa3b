import type { LeaseRow } from '../issue-status/issue-lease.repository.js';
import type { LockedIssue } from '../issue-status/issue-row.js';
import type { Status } from '../issue-status/issue-status.js';

/** How an agent ended its lease: with a status that it asked for, or by releasing the issue. */
export type Outcome = Status | 'released';

/**
 * Whether an outcome hands in the work of the newest lease of an issue, which ended with a pause or a blocker: work that
 * is finished is not thrown away (contract §7.2).
 */
export function isHandIn(
  { status, paused }: LockedIssue,
  { ended, endedAs }: LeaseRow,
  outcome: Outcome | null,
): boolean {
  if (outcome !== 'PendingReview' || !ended) return false;
  if (status === 'Open' && paused) return true;
  return endedAs !== null && ['Open', 'InProgress', 'WaitingOnDependency'].includes(status);
}

/** Returns the status of an issue after its work was handed in: one that waits goes on waiting. */
export const statusOfHandIn = ({ status }: LockedIssue): Status =>
  status === 'WaitingOnDependency' ? status : 'PendingReview';
