import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';

/** Circles are looked for among so many waiting links at most: the cost must stay bounded. */
const MOST_EDGES = 100_000;

export interface Edge {
  source: string;
  target: string;
}

@Injectable()
export class WorkMeasuresRepository {
  constructor(private readonly database: Database) {}

  issuesByStatus(): Promise<{ status: string; count: number }[]> {
    return this.database.rows('SELECT status, count(*)::int AS count FROM issues GROUP BY status');
  }

  /** Agents that have been heard of in the last three minutes: a lease's length. */
  async agentsAlive(): Promise<number> {
    const row = await this.database.row<{ count: number }>(
      `SELECT count(*)::int AS count FROM agents
       WHERE retired_at IS NULL AND last_heartbeat_at > now() - interval '3 minutes'`,
    );
    return row!.count;
  }

  /** Issues that wait for nobody: they would never be worked on (spec §5.3). */
  async waitingForNobody(): Promise<number> {
    const row = await this.database.row<{ count: number }>(
      `SELECT count(*)::int AS count FROM issues i
       WHERE i.status = 'WaitingOnDependency' AND NOT EXISTS (${UNRESOLVED_BLOCKER})`,
    );
    return row!.count;
  }

  /** Issues that go on although they are blocked (spec §5.3). */
  async goingOnBlocked(): Promise<number> {
    const row = await this.database.row<{ count: number }>(
      `SELECT count(*)::int AS count FROM issues i
       WHERE i.status IN ('Open', 'InProgress', 'PendingReview') AND EXISTS (${UNRESOLVED_BLOCKER})`,
    );
    return row!.count;
  }

  /** Blocking links both of whose ends wait: in a circle that holds anything up, all do. */
  waitingEdges(): Promise<Edge[]> {
    return this.database.rows<Edge>(
      `SELECT l.source_issue_id AS source, l.target_issue_id AS target FROM issue_links l
       JOIN issues s ON s.id = l.source_issue_id AND s.status = 'WaitingOnDependency'
       JOIN issues t ON t.id = l.target_issue_id AND t.status = 'WaitingOnDependency'
       WHERE l.link_type = 'Blocks' LIMIT ${MOST_EDGES}`,
    );
  }
}

const UNRESOLVED_BLOCKER = `
  SELECT 1 FROM issue_links l JOIN issues b ON b.id = l.source_issue_id
  WHERE l.target_issue_id = i.id AND l.link_type = 'Blocks' AND b.status NOT IN ('Resolved', 'Closed')`;
