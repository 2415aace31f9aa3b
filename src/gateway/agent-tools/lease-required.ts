import type { AgentPrincipal } from '../../platform/auth/principal.js';
import { Problem } from '../../platform/http/problem/problem.js';

/** Whether the caller may use the tools of servers: some agents need a lease key for them (contract §7.9). */
export function mayUseServers({
  toolsRequireLease,
  lease,
}: Pick<AgentPrincipal, 'toolsRequireLease' | 'lease'>): boolean {
  return !toolsRequireLease || lease !== null;
}

/** 403: the agent uses the tools of servers only with the key of a lease (contract §7.9). */
export class LeaseRequired extends Problem {
  constructor() {
    super(
      'lease_required',
      'You use this only while you work on an issue, with the key that came with its lease: connect.headers of the heartbeat.',
    );
  }
}
