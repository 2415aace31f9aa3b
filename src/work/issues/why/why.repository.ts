import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { agentFacts, factsOf, STANDING_FACTS, type FactsRow } from '../explain/facts-sql.js';
import type { IssueFacts } from '../explain/issue-facts.js';
import { BLOCKERS_NAMED } from './why.js';

/** The facts about one issue of a list, with its direct blockers only. */
export type ListedFacts = IssueFacts & { id: string };

/** Reads one blocker more than is named, to know whether there are more; resolved ones are skipped. */
const BLOCKERS = `
  SELECT coalesce(json_agg(found.blocker ORDER BY found.created_at, found.id), '[]') AS list FROM (
    SELECT b.id, b.created_at,
           json_build_object('id', b.id, 'key', bp.key || '-' || b.number, 'title', b.title, 'status', b.status) AS blocker
    FROM issue_links l JOIN issues b ON b.id = l.source_issue_id JOIN projects bp ON bp.id = b.project_id
    WHERE i.status = 'WaitingOnDependency' AND l.target_issue_id = i.id AND l.link_type = 'Blocks'
      AND b.status NOT IN ('Resolved', 'Closed')
    LIMIT ${BLOCKERS_NAMED + 1}) AS found`;

/** The live leases are counted once for each agent, not once for each of its issues. */
const FACTS = `
  WITH asked AS MATERIALIZED (SELECT * FROM issues WHERE id = ANY($1::uuid[])),
  busy AS MATERIALIZED (
    SELECT l.agent_id, count(*)::int AS active FROM issue_leases l
    WHERE l.expires_at > now() AND l.agent_id IN (SELECT assigned_agent_id FROM asked) GROUP BY l.agent_id)
  SELECT i.id, ${agentFacts('$2', 'coalesce(busy.active, 0)')}, ${STANDING_FACTS}, blockers.list AS "blockedBy"
  FROM asked i JOIN projects p ON p.id = i.project_id CROSS JOIN agent_halt halt
  LEFT JOIN agents a ON a.id = i.assigned_agent_id
  LEFT JOIN busy ON busy.agent_id = a.id
  LEFT JOIN users u ON u.id = i.assignee_user_id
  LEFT JOIN issue_leases lease ON lease.issue_id = i.id
  CROSS JOIN LATERAL (${BLOCKERS}) AS blockers`;

@Injectable()
export class WhyRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Reads the facts about several issues in one statement. A caller who sees an issue sees what blocks it.
   * @param silence seconds without a heartbeat after which an agent counts as silent
   */
  async facts(ids: string[], silence: number): Promise<ListedFacts[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.rows<FactsRow & { id: string }>(FACTS, [ids, silence]);
    return rows.map((row) => {
      const facts = factsOf(row);
      const { blockedBy } = facts;
      const moreBlockers = blockedBy.length > BLOCKERS_NAMED;
      return { ...facts, blockedBy: blockedBy.slice(0, BLOCKERS_NAMED), moreBlockers, rootBlockers: [] };
    });
  }
}
