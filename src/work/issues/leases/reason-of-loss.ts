import type { LeasesRepository } from './leases.repository.js';
import { stopReasonOf, type StopReason } from './stop-reason.js';

/** Returns why an agent lost its lease of an issue, as its next heartbeat returns it (contract §7). */
export async function reasonOfLoss(
  leases: LeasesRepository,
  agentId: string,
  lease: { issueId: string; token: number },
): Promise<StopReason> {
  const [standing] = await leases.findStandings(agentId, [lease]);
  return stopReasonOf(standing ?? null);
}
