import { stopForAll } from '../../work/issues/leases/stop-reason.js';
import type { AgentState } from './heartbeat.repository.js';

/**
 * Returns how many issues an agent may be handed out now (contract §7.1).
 * @param capacity how many more its worker can take; null for no limit of its own
 */
export function freeSlots(agent: AgentState, capacity: number | null): number {
  if (stopForAll(agent) || !agent.hasWork) return 0;
  const free = Math.max(0, agent.maxConcurrentIssues - agent.activeIssues);
  return capacity === null ? free : Math.min(free, capacity);
}
