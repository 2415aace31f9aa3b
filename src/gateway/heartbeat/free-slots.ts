import { stopForAll } from '../../work/issues/leases/stop-reason.js';
import type { RenewedLease } from '../../work/issues/leases/leases.repository.js';
import type { HeartbeatCall } from './heartbeat-call.js';
import type { AgentState } from './heartbeat.repository.js';
import type { NamedIssue } from './named-issues.js';

/**
 * Returns how many issues an agent may be handed out now (contract §7.1).
 * @param capacity how many more its worker can take; null for no limit of its own
 */
export function freeSlots(agent: AgentState, capacity: number | null): number {
  if (stopForAll(agent) || !agent.hasWork) return 0;
  const free = Math.max(0, agent.maxConcurrentIssues - agent.activeIssues);
  return capacity === null ? free : Math.min(free, capacity);
}

/** A lease that the worker does not name begins with this response, so it takes one of the slots that are offered. */
export function capacityFor(
  { worker, leases, capacity }: HeartbeatCall,
  named: NamedIssue[],
  renewed: RenewedLease[],
): number | null {
  if (worker === null || leases === null || capacity === null) return capacity;
  const beginning = renewed.filter(({ issueId }) => !named.some(({ id }) => id === issueId));
  return Math.max(0, capacity - beginning.length);
}
