import { Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';
import { Database } from '../platform/database/database.js';
import { AgentEntity } from './agent.entity.js';

/** An agent as it is told: with the number of issues that it works on. */
export type AgentRow = AgentEntity & { activeIssues: number };

@Injectable()
export class AgentsRepository {
  constructor(private readonly database: Database) {}

  list(): Promise<AgentRow[]> {
    return this.database.rows<AgentRow>(
      `${SELECT_AGENT} WHERE a.retired_at IS NULL ORDER BY a.created_at, a.id`,
    );
  }

  findById(id: string): Promise<AgentRow | null> {
    return this.database.row<AgentRow>(`${SELECT_AGENT} WHERE a.id = $1 AND a.retired_at IS NULL`, [id]);
  }

  /** Waits for whoever changes the agent or hands it work. */
  async lock(id: string): Promise<AgentRow | null> {
    await this.database.rows('SELECT id FROM agents WHERE id = $1 FOR NO KEY UPDATE', [id]);
    return this.findById(id);
  }

  async insert(
    agent: Pick<AgentEntity, 'id' | 'name' | 'description' | 'maxConcurrentIssues'>,
  ): Promise<void> {
    await this.database.manager.insert(AgentEntity, agent);
  }

  async update(id: string, fields: QueryDeepPartialEntity<AgentEntity>): Promise<void> {
    await this.database.manager.update(AgentEntity, { id }, { ...fields, updatedAt: () => 'now()' });
  }

  /** Ends the leases and memberships of a retired agent; its grants and keys fall elsewhere. */
  async retire(id: string): Promise<void> {
    await this.database.change(
      `UPDATE agents SET retired_at = now(), disabled = true, updated_at = now() WHERE id = $1`,
      [id],
    );
    await this.database.change(`UPDATE issue_leases SET expires_at = NULL WHERE agent_id = $1`, [id]);
    await this.database.change(`DELETE FROM project_members WHERE agent_id = $1`, [id]);
    await this.database.change(`DELETE FROM server_access WHERE agent_id = $1`, [id]);
  }
}

/** Active: what it works on now, by leases that live. */
const SELECT_AGENT = `
  SELECT a.id, a.name, a.description, a.max_concurrent_issues AS "maxConcurrentIssues", a.disabled,
         a.retired_at AS "retiredAt", a.last_heartbeat_at AS "lastHeartbeatAt",
         a.created_at AS "createdAt", a.updated_at AS "updatedAt",
         (SELECT count(*)::int FROM issue_leases l WHERE l.agent_id = a.id AND l.expires_at > now()) AS "activeIssues"
  FROM agents a`;
