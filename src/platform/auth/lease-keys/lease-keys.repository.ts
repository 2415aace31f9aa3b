import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../database/database.service.js';

/** The agent that a lease key names. */
export interface AgentOfLease {
  id: string;
  name: string;
  disabled: boolean;
  toolsRequireLease: boolean;
}

@Injectable()
export class LeaseKeysRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns null for an agent that is retired. */
  async find(agentId: string): Promise<AgentOfLease | null> {
    const [agent] = await this.database.prepared<AgentOfLease>(
      'lease-keys.agent',
      `SELECT id, name, disabled, tools_require_lease AS "toolsRequireLease"
       FROM agents WHERE id = $1 AND retired_at IS NULL`,
      [agentId],
    );
    return agent ?? null;
  }
}
