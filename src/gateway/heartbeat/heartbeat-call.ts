import type { NamedProcess } from './instances/worker-instances.repository.js';
import type { NamedLease } from '../../work/issues/leases/leases.repository.js';

/** What a worker reports (contract §7.1). */
export interface HeartbeatCall {
  /** The leases that it holds, by the id or key of their issues; null where it names none. */
  leases: NamedLease[] | null;
  /** How many more issues it can take now; null for no limit of its own. */
  capacity: number | null;
  /** Its name among the agent's workers; null for a worker that keeps its leases itself. */
  worker: string | null;
  /** The process that works under that name; absent where the caller names none. */
  instance?: { id: string; takeOver: boolean } | null;
  /** Why it takes no more work until a person has acted; null while it takes work. */
  failing: string | null;
}

/** Returns the process that a heartbeat names, and whether it takes the name over; null where it names none. */
export function processOf(
  agentId: string,
  { worker, instance }: HeartbeatCall,
): (NamedProcess & { takeOver: boolean }) | null {
  if (worker === null || !instance) return null;
  return { agentId, worker, instance: instance.id, takeOver: instance.takeOver };
}
