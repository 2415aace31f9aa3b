import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { AgentRow } from '../../agents/agents.repository.js';
import { HAS_CANDIDATE } from '../../work/issues/leases/leases.repository.js';

/** What one statement tells of an agent that calls: enough to answer when there is nothing to do. */
export type AgentLook = AgentRow & {
  halted: boolean;
  hasWork: boolean;
  /** Its last-seen is old enough to be written anew. */
  lastSeenIsStale: boolean;
};

/** A comment that an agent has not been told of. */
export interface NewComment {
  id: string;
  issueId: string;
  content: string;
  authorType: 'User' | 'Agent' | 'System';
  authorId: string | null;
  authorName: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Comments told at once, the newest of an issue that has more. */
const COMMENTS_AT_ONCE = 500;

@Injectable()
export class HeartbeatRepository {
  constructor(private readonly database: Database) {}

  async look(agentId: string): Promise<AgentLook> {
    const [row] = await this.database.prepared<AgentLook>('heartbeat.look', LOOK, [agentId]);
    return row!;
  }

  /** Serves the workers of one agent one by one, and waits for whoever disables or retires it. */
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

  /** What others said about these issues since the agent's last turn. */
  newComments(agentId: string, issueIds: string[]): Promise<NewComment[]> {
    return this.database.rows<NewComment>(`${NEW_COMMENTS('l.told_of')} ORDER BY "createdAt", id`, [
      agentId,
      issueIds,
    ]);
  }

  /** The same, and from now on the agent counts as told: in one statement, so that no comment falls between. */
  tellNewComments(agentId: string, issueId: string): Promise<NewComment[]> {
    return this.database.rows<NewComment>(
      `WITH told AS (
         UPDATE issue_leases SET told_of = pg_current_snapshot() WHERE issue_id = ANY($2::uuid[]) AND agent_id = $1)
       ${NEW_COMMENTS('l.told_of')} ORDER BY "createdAt", id`,
      [agentId, [issueId]],
    );
  }
}

const LOOK = `
  SELECT a.id, a.name, a.description, a.max_concurrent_issues AS "maxConcurrentIssues", a.disabled,
         a.retired_at AS "retiredAt", a.last_heartbeat_at AS "lastHeartbeatAt", a.created_at AS "createdAt", a.updated_at AS "updatedAt",
         (SELECT count(*)::int FROM issue_leases l WHERE l.agent_id = a.id AND l.expires_at > now()) AS "activeIssues",
         halt.halted,
         coalesce(a.last_heartbeat_at < now() - interval '10 seconds', true) AS "lastSeenIsStale",
         ${HAS_CANDIDATE} AS "hasWork"
  FROM agents a CROSS JOIN agent_halt halt WHERE a.id = $1`;

/** A comment that was committed after a snapshot is not in it, whatever its time says. */
const NEW_COMMENTS = (since: string) => `
  SELECT c.id, c."issueId", c.content, c."authorType", c."authorId", c."authorName", c."createdAt", c."updatedAt"
  FROM issue_leases l CROSS JOIN LATERAL (
    SELECT id, issue_id AS "issueId", content, author_type AS "authorType", author_id AS "authorId", author_name AS "authorName",
           created_at AS "createdAt", updated_at AS "updatedAt"
    FROM comments
    WHERE issue_id = l.issue_id AND author_id IS DISTINCT FROM $1
      AND (${since} IS NULL OR NOT pg_visible_in_snapshot(transaction_id, ${since}))
    ORDER BY created_at DESC, id DESC LIMIT ${COMMENTS_AT_ONCE}) AS c
  WHERE l.issue_id = ANY($2::uuid[]) AND l.agent_id = $1`;
