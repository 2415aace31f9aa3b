import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { issuesBehind, stoppedByBudgets } from '../issues/status/issues-behind.js';
import type { GateBlocks } from './gate-row.js';

/** An agent has something else to do: an issue that it works on, or that it could begin. @param id SQL */
const isBusy = (id: string) => `EXISTS (
  SELECT 1 FROM issues other WHERE other.assigned_agent_id = ${id} AND NOT other.paused AND other.status IN ('Open', 'InProgress')
    AND NOT EXISTS (SELECT 1 FROM behind WHERE behind.root = open.id AND behind.issue_id = other.id))`;

/** Counts what waits for gates, in one statement for a page of them. */
@Injectable()
export class GateBlocksRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Returns, for each of these gates, the unresolved issues that wait for it directly or through others, and the agents
   * of those that have nothing else to do. A gate that is closed holds nothing and is absent.
   */
  async count(gateIds: string[]): Promise<Map<string, GateBlocks>> {
    if (gateIds.length === 0) return new Map();
    const rows = await this.database.rows<GateBlocks & { id: string }>(
      `WITH RECURSIVE open AS (
         SELECT id, kind, issue_id, agent_id, project_id FROM gates WHERE id = ANY($1::uuid[]) AND (state = 'open' OR holds)),
       ${issuesBehind(`(SELECT id, issue_id FROM open WHERE issue_id IS NOT NULL UNION ${stoppedByBudgets('open')})`)},
       concerned AS (
         SELECT behind.root AS id, i.assigned_agent_id AS agent_id FROM behind JOIN issues i ON i.id = behind.issue_id
         UNION SELECT id, agent_id FROM open WHERE issue_id IS NULL)
       SELECT open.id, (SELECT count(*)::int FROM behind WHERE root = open.id) AS issues,
         (SELECT count(*)::int FROM concerned c WHERE c.id = open.id AND c.agent_id IS NOT NULL
            AND (open.kind = 'budget' OR NOT ${isBusy('c.agent_id')})) AS agents
       FROM open`,
      [gateIds],
    );
    return new Map(rows.map(({ id, issues, agents }) => [id, { issues, agents }]));
  }
}
