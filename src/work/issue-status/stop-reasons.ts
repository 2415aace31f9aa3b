import type { IssueLeaseRepository, StandingRow } from './issue-lease.repository.js';
import type { Status } from './issue-status.js';

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
  'taken_over',
  'halted',
  'disabled',
  'budget',
] as const;
export type StopReason = (typeof stopReasons)[number];

/** Returns the reason for which an agent must stop all work, or null. */
export function stopForAll(agent: { halted: boolean; disabled: boolean }): 'halted' | 'disabled' | null {
  if (agent.halted) return 'halted';
  return agent.disabled ? 'disabled' : null;
}

/**
 * Returns the reason that a worker gets for a lease that is over: what stops the whole agent goes before the state of
 * the issue.
 * @param ofIssue undefined where the agent never had the issue or no longer sees it
 */
export function reasonFor(
  agent: { halted: boolean; disabled: boolean },
  ofIssue: StopReason | undefined,
): StopReason {
  return stopForAll(agent) ?? ofIssue ?? 'deleted';
}

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
  if (standing.takenOver) return 'taken_over';
  if (standing.paused && standing.status === 'Open') return 'paused';
  if (standing.overBudget && (standing.status === 'Open' || standing.status === 'WaitingOnDependency'))
    return 'budget';
  const reason = BY_STATUS[standing.status];
  // The worker has not heard of the pause or the blocker that is over by now, and may end its turn all the same.
  return reason === 'open' || reason === 'lease_lost' ? (standing.endedAs ?? reason) : reason;
}

/** Returns why an agent lost its lease of an issue, as its next heartbeat returns it (contract §7). */
export async function reasonOfLoss(
  leases: IssueLeaseRepository,
  agentId: string,
  lease: { issueId: string; token: number },
): Promise<StopReason> {
  const [standing] = await leases.findStandings(agentId, [lease]);
  return stopReasonOf(standing ?? null);
}
