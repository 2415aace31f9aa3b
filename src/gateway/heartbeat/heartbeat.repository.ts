import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { AGENT_COLUMNS, type AgentRow } from '../../agents/agents.repository.js';
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

  async touch(agentId: string): Promise<void> {
    await this.database.change(
      `UPDATE agents SET last_heartbeat_at = now()
       WHERE id = $1 AND (last_heartbeat_at IS NULL OR last_heartbeat_at < now() - interval '10 seconds')`,
      [agentId],
    );
  }
}
