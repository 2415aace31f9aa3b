const LONGEST_SECONDS = 30;

/** Returns how many seconds an agent waits between heartbeats: three fit into a lease, so that one may be lost. */
export function heartbeatIntervalSeconds(leaseSeconds: number): number {
  return Math.max(1, Math.min(LONGEST_SECONDS, Math.floor(leaseSeconds / 3)));
}
