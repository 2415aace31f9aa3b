import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { gateKinds } from '../../work/issues/status/gate-state.js';
import { isBlocked } from '../../work/issues/status/issue-dependencies.repository.js';

/** Cycles are looked for among at most so many links, to bound the cost. */
const MOST_EDGES = 100_000;

export interface Edge {
  source: string;
  target: string;
}

@Injectable()
export class WorkMetricsRepository {
  constructor(private readonly database: DatabaseService) {}

  issuesByStatus(): Promise<{ status: string; count: number }[]> {
    return this.database.rows('SELECT status, count(*)::int AS count FROM issues GROUP BY status');
  }

  /** Counts the agents that sent a heartbeat in the last three minutes, the default length of a lease. */
  async agentsAlive(): Promise<number> {
    const row = await this.database.row<{ count: number }>(
      `SELECT count(*)::int AS count FROM agents
       WHERE retired_at IS NULL AND last_heartbeat_at > now() - interval '3 minutes'`,
    );
    return row!.count;
  }

  /** Counts the open gates by kind and age; every pair is there, so that a series does not end when its last gate does. */
  openGates(): Promise<{ kind: string; age: string; count: number }[]> {
    return this.database.rows(
      `SELECT kinds.kind, ages.age, count(g.id)::int AS count
       FROM unnest($1::text[]) AS kinds(kind)
       CROSS JOIN (VALUES ('under_1h', interval '0', interval '1 hour'), ('under_1d', interval '1 hour', interval '1 day'),
                          ('over_1d', interval '1 day', interval '1000 years')) AS ages(age, least, most)
       LEFT JOIN gates g ON g.state = 'open' AND g.kind = kinds.kind
         AND now() - g.created_at >= ages.least AND now() - g.created_at < ages.most
       GROUP BY kinds.kind, ages.age`,
      [gateKinds],
    );
  }

  /** Counts the issues that wait although nothing blocks them: they would never be worked on (contract §5.3). */
  async waitingUnblocked(): Promise<number> {
    const row = await this.database.row<{ count: number }>(
      `SELECT count(*)::int AS count FROM issues i
       WHERE i.status = 'WaitingOnDependency' AND NOT ${isBlocked('i.id')}`,
    );
    return row!.count;
  }

  /** Counts the issues that do not wait although they are blocked (contract §5.3). */
  async activeButBlocked(): Promise<number> {
    const row = await this.database.row<{ count: number }>(
      `SELECT count(*)::int AS count FROM issues i
       WHERE i.status IN ('Open', 'InProgress', 'PendingReview') AND ${isBlocked('i.id')}`,
    );
    return row!.count;
  }

  /** The blocking links between two issues that both wait: a cycle that blocks anything consists of these. */
  waitingEdges(): Promise<Edge[]> {
    return this.database.rows<Edge>(
      `SELECT l.source_issue_id AS source, l.target_issue_id AS target FROM issue_links l
       JOIN issues s ON s.id = l.source_issue_id AND s.status = 'WaitingOnDependency'
       JOIN issues t ON t.id = l.target_issue_id AND t.status = 'WaitingOnDependency'
       WHERE l.link_type = 'Blocks' LIMIT ${MOST_EDGES}`,
    );
  }
}
