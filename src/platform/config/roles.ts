/** What a process may be started as (`ROLE`, contract §9.3). */
export const roles = ['all', 'api', 'tools', 'worker'] as const;

export type Role = (typeof roles)[number];

/** What the processes of a role do, beside /livez, /readyz and /metrics. */
export interface Duties {
  /** They answer the API, the MCP endpoint and the dashboard, and execute approved calls. */
  requests: boolean;
  /** They run MCP servers, for themselves or for the processes that answer requests. */
  servers: boolean;
  /** They deliver webhooks, run the chores, expire gates, remove the bytes of deleted files, measure leases. */
  background: boolean;
}

const DUTIES: Record<Role, Duties> = {
  all: { requests: true, servers: true, background: true },
  api: { requests: true, servers: false, background: false },
  tools: { requests: false, servers: true, background: false },
  worker: { requests: false, servers: false, background: true },
};

export function dutiesOf(role: Role): Duties {
  return DUTIES[role];
}
