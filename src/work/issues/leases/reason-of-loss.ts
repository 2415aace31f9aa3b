import type { LeasesRepository } from './leases.repository.js';
import { stopReasonOf, type StopReason } from './stop-reason.js';

/** Returns why an agent lost its lease of an issue, as its next heartbeat returns it (contract §7). */
export async function reasonOfLoss(
  leases: LeasesRepository,
  agentId: string,
  issueId: string,
): Promise<StopReason> {
  const [standing] = await leases.findStandings(agentId, [issueId]);
  return stopReasonOf(standing ?? null);
}
