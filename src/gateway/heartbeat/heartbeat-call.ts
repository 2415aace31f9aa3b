import type { NamedLease } from '../../work/issues/leases/leases.repository.js';

/** What a worker reports (contract §7.1). */
export interface HeartbeatCall {
  /** The leases that it holds, by the id or key of their issues; null where it names none. */
  leases: NamedLease[] | null;
  /** How many more issues it can take now; null for no limit of its own. */
  capacity: number | null;
  /** Its name among the agent's workers; null for a worker that keeps its leases itself. */
  worker: string | null;
  /** Why it takes no more work until a person has acted; null while it takes work. */
  failing: string | null;
}
