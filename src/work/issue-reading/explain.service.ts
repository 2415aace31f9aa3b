import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Principal } from '../../platform/authentication/principal.js';
import { Settings } from '../../platform/config/settings.js';
import { NotFound } from '../../platform/http/problem.js';
import { isHeld } from '../issue-status/issue-status.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { agentFacts, factsOf, type FactsRow, type IssueFacts, STANDING_FACTS } from './issue-facts.js';

const BLOCKER = `'id', b.id, 'key', bp.key || '-' || b.number, 'title', b.title, 'status', b.status`;
const OLDEST_FIRST = 'ORDER BY b.created_at, b.id';

/** Every unresolved issue from which blocking leads to `$1`. */
const HOLDING = `holding(id) AS (
  SELECT l.source_issue_id FROM issue_links l JOIN issues s ON s.id = l.source_issue_id
  WHERE l.target_issue_id = $1 AND l.link_type = 'Blocks' AND s.status NOT IN ('Resolved', 'Closed')
  UNION
  SELECT l.source_issue_id FROM holding JOIN issue_links l ON l.target_issue_id = holding.id AND l.link_type = 'Blocks'
  JOIN issues s ON s.id = l.source_issue_id WHERE s.status NOT IN ('Resolved', 'Closed'))`;

const DIRECT = `
  SELECT json_agg(blocker) FROM (
    SELECT json_build_object(${BLOCKER}) AS blocker
    FROM issue_links l JOIN issues b ON b.id = l.source_issue_id JOIN projects bp ON bp.id = b.project_id
    WHERE l.target_issue_id = i.id AND l.link_type = 'Blocks' AND b.status NOT IN ('Resolved', 'Closed')
    ${OLDEST_FIRST} LIMIT 1000) AS direct`;

const PERSON = `CASE WHEN bu.id IS NOT NULL THEN json_build_object('type', 'user', 'id', bu.id, 'name', bu.name) END`;
const ASSIGNEE = `
  CASE WHEN ba.id IS NOT NULL THEN json_build_object('type', 'agent', 'id', ba.id, 'name', ba.name) ELSE ${PERSON} END`;

const ROOTS = `
  SELECT json_agg(root) FROM (
    SELECT json_build_object(${BLOCKER}, 'assignee', ${ASSIGNEE}, 'person', ${PERSON}, 'paused', b.paused) AS root
    FROM holding JOIN issues b ON b.id = holding.id JOIN projects bp ON bp.id = b.project_id
    LEFT JOIN agents ba ON ba.id = b.assigned_agent_id LEFT JOIN users bu ON bu.id = b.assignee_user_id
    WHERE (b.status <> 'WaitingOnDependency' OR ${isHeld('b.id')}) ${OLDEST_FIRST} LIMIT 100) AS roots`;

/** The agent's live leases, over all issues. */
const LIVE_LEASES = `(SELECT count(*) FROM issue_leases l WHERE l.agent_id = a.id AND l.expires_at > now())`;

const FACTS = `
  WITH RECURSIVE ${HOLDING}
  SELECT ${agentFacts('$2', LIVE_LEASES)},
         ${STANDING_FACTS},
         CASE i.status WHEN 'WaitingOnDependency' THEN coalesce((${DIRECT}), '[]') ELSE '[]' END AS "blockedBy",
         CASE i.status WHEN 'WaitingOnDependency' THEN coalesce((${ROOTS}), '[]') ELSE '[]' END AS "rootBlockers"
  FROM issues i JOIN projects p ON p.id = i.project_id CROSS JOIN agent_halt halt
  LEFT JOIN agents a ON a.id = i.assigned_agent_id
  LEFT JOIN users u ON u.id = i.assignee_user_id
  LEFT JOIN issue_leases lease ON lease.issue_id = i.id
  WHERE i.id = $1`;

@Injectable()
export class ExplainRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /**
   * Reads all facts in one statement. A caller who sees an issue sees what blocks it: links of a members-only project
   * stay within it.
   * @param silence seconds without a heartbeat after which an agent counts as silent
   * @returns null when the issue has been deleted
   */
  async facts(issueId: string, silence: number): Promise<IssueFacts | null> {
    const [row] = await this.source.query<FactsRow[]>(FACTS, [issueId, silence]);
    return row ? factsOf(row) : null;
  }
}

/** Finds out why no agent works on an issue (contract §5.2). */
@Injectable()
export class ExplainService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly issues: ExplainRepository,
    private readonly settings: Settings,
  ) {}

  /** A live worker sends a heartbeat before its lease runs out, so an agent that was silent for longer is gone. */
  async facts(caller: Principal, reference: string): Promise<IssueFacts> {
    const { id } = await this.access.get(caller, reference, 'Viewer');
    const facts = await this.issues.facts(id, this.settings.leaseSeconds);
    if (!facts) throw new NotFound();
    return facts;
  }
}
