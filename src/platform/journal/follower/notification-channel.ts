/** The PostgreSQL channel that `JournalService` notifies and `JournalConnectionClient` listens on. */
export const NOTIFICATION_CHANNEL = 'awp_journal';

/**
 * The channel on which processes of one database say what they use besides it. `JournalConnectionClient` listens on it too,
 * since a process has one connection that listens.
 */
export const PRESENCE_CHANNEL = 'awp_presence';

/**
 * Types that other processes must learn of at once. All others are too frequent: NOTIFY takes a lock on the whole
 * server until the commit is on disk, so commits that notify cannot share one flush.
 */
const ADMINISTRATIVE = /^(agent|key|user|webhook|mcp\.(server|access|tool|credentials|profile))\./;

export function isAdministrative(type: string): boolean {
  return ADMINISTRATIVE.test(type) && type !== 'mcp.tool.called';
}
