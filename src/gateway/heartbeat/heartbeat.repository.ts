import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { AGENT_COLUMNS, IS_FAILING, type AgentRow } from '../../agents/agents.repository.js';
import { hasCandidate } from '../../work/issues/leases/lease-conditions.js';

/** What one statement reads of a calling agent: enough for the response when there is nothing to do. */
export type AgentState = AgentRow & {
  halted: boolean;
  /** The reason that a person gave for the halt. */
  haltReason: string | null;
  hasWork: boolean;
  /** Whether its last heartbeat is old enough to be written again. */
  lastSeenIsStale: boolean;
};

const READ_AGENT = `
  SELECT ${AGENT_COLUMNS}, halt.halted, halt.reason AS "haltReason",
         coalesce(a.last_heartbeat_at < now() - interval '10 seconds', true) AS "lastSeenIsStale",
         ${hasCandidate('$1')} AS "hasWork"
  FROM agents a CROSS JOIN agent_halt halt WHERE a.id = $1`;

@Injectable()
export class HeartbeatRepository {
  constructor(private readonly database: DatabaseService) {}

  async readAgent(agentId: string): Promise<AgentState> {
    const [row] = await this.database.prepared<AgentState>('heartbeat.agent', READ_AGENT, [agentId]);
    return row!;
  }

  /** Locks the agent's row, so that its workers are served one by one, and disabling or retiring it is ordered with them. */
  async lockAgent(agentId: string): Promise<void> {
    await this.database.rows('SELECT id FROM agents WHERE id = $1 FOR NO KEY UPDATE', [agentId]);
  }

  /** A report lasts as long as a lease. That of another worker is kept, so that `since` does not change with each heartbeat. */
  async reportFailure(agentId: string, worker: string, reason: string, seconds: number): Promise<void> {
    await this.database.change(
      `INSERT INTO agent_failures AS f (agent_id, worker, reason, until)
       VALUES ($1, $2, $3, now() + make_interval(secs => $4))
       ON CONFLICT (agent_id) DO UPDATE SET worker = excluded.worker, reason = excluded.reason, until = excluded.until,
         since = CASE WHEN ${IS_FAILING} THEN f.since ELSE excluded.since END
       WHERE f.worker = excluded.worker OR NOT ${IS_FAILING}`,
      [agentId, worker, reason, seconds],
    );
  }

  async endFailure(agentId: string, worker: string): Promise<void> {
    await this.database.change(`DELETE FROM agent_failures WHERE agent_id = $1 AND worker = $2`, [
      agentId,
      worker,
    ]);
  }

  async touch(agentId: string): Promise<void> {
    await this.database.change(
      `UPDATE agents SET last_heartbeat_at = now()
       WHERE id = $1 AND (last_heartbeat_at IS NULL OR last_heartbeat_at < now() - interval '10 seconds')`,
      [agentId],
    );
  }
}
