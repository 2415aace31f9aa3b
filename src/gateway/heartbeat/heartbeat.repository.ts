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

/** A comment that the agent has not received yet. */
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

/** The most comments returned per issue: the newest. */
const COMMENTS_PER_ISSUE = 500;

/** The most comments in a brief: the newest. */
const COMMENTS_PER_BRIEF = 100;

const READ_AGENT = `
  SELECT ${AGENT_COLUMNS}, halt.halted, halt.reason AS "haltReason",
         coalesce(a.last_heartbeat_at < now() - interval '10 seconds', true) AS "lastSeenIsStale",
         ${hasCandidate('$1')} AS "hasWork"
  FROM agents a CROSS JOIN agent_halt halt WHERE a.id = $1`;

/** Selects by snapshot, not by time: a comment that was committed after a snapshot is not in it, whatever its time. */
const NEW_COMMENTS = (since: string) => `
  SELECT c.id, c."issueId", c.content, c."authorType", c."authorId", c."authorName", c."createdAt", c."updatedAt"
  FROM issue_leases l CROSS JOIN LATERAL (
    SELECT id, issue_id AS "issueId", content, author_type AS "authorType", author_id AS "authorId", author_name AS "authorName",
           created_at AS "createdAt", updated_at AS "updatedAt"
    FROM comments
    WHERE issue_id = l.issue_id AND author_id IS DISTINCT FROM $1
      AND (${since} IS NULL OR NOT pg_visible_in_snapshot(transaction_id, ${since}))
    ORDER BY created_at DESC, id DESC LIMIT ${COMMENTS_PER_ISSUE}) AS c
  WHERE l.issue_id = ANY($2::uuid[]) AND l.agent_id = $1`;

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

  /** Returns the comments of others on these issues since the agent's last turn. */
  newComments(agentId: string, issueIds: string[]): Promise<NewComment[]> {
    return this.database.rows<NewComment>(`${NEW_COMMENTS('l.told_of')} ORDER BY "createdAt", id`, [
      agentId,
      issueIds,
    ]);
  }

  /** Returns the last comments on these issues by any author, oldest first. */
  lastComments(issueIds: string[]): Promise<NewComment[]> {
    return this.database.rows<NewComment>(
      `SELECT c.* FROM unnest($1::uuid[]) AS asked(id) CROSS JOIN LATERAL (
         SELECT id, issue_id AS "issueId", content, author_type AS "authorType", author_id AS "authorId",
                author_name AS "authorName", created_at AS "createdAt", updated_at AS "updatedAt"
         FROM comments WHERE issue_id = asked.id
         ORDER BY created_at DESC, id DESC LIMIT ${COMMENTS_PER_BRIEF}) AS c
       ORDER BY c."createdAt", c.id`,
      [issueIds],
    );
  }

  /** Begins a turn: returns new comments and marks them as received, in one statement, so that none is lost in between. */
  beginTurn(agentId: string, issueId: string, isReported: boolean): Promise<NewComment[]> {
    return this.database.rows<NewComment>(
      `WITH received AS (
         UPDATE issue_leases
         SET told_of = pg_current_snapshot(), turns = turns + 1,
             reported_turn = CASE WHEN $3 THEN turns + 1 ELSE reported_turn END
         WHERE issue_id = ANY($2::uuid[]) AND agent_id = $1)
       ${NEW_COMMENTS('l.told_of')} ORDER BY "createdAt", id`,
      [agentId, [issueId], isReported],
    );
  }
}
