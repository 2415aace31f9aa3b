import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principal.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import type { GateKind, GateState } from '../issue-status/gate-state.js';
import { issuesBehind, stoppedByBudgets } from '../issue-status/issue-dependencies.repository.js';
import { type Seen, type Visibility, visibilityOf } from '../projects/visibility.js';

/** What a person answered; the members depend on the kind of the gate. */
export type GateAnswer =
  | { option: string | null; text: string | null; fields: Record<string, unknown> | null }
  | { decision: 'approve' | 'deny'; scope: 'once' | 'issue'; note: string | null }
  | { decision: 'extend' | 'stop'; by: number | null };

/** A gate with what it shows from other rows, as `GATE_COLUMNS` reads it. */
export interface GateRow {
  id: string;
  kind: GateKind;
  state: GateState;
  projectId: string | null;
  projectKey: string | null;
  projectName: string | null;
  issueId: string | null;
  issueKey: string | null;
  issueTitle: string | null;
  agentId: string | null;
  agentName: string | null;
  /** Whether it holds its issue up. */
  holds: boolean;
  /** The least role in the project that may answer. */
  answerRole: 'Editor' | 'Admin';
  title: string;
  detail: string | null;
  options: string[];
  recommended: string | null;
  request: Record<string, unknown>;
  answer: GateAnswer | null;
  /** How the call that was approved ended; null before. */
  outcome: string | null;
  result: unknown;
  openedByType: 'user' | 'agent' | 'system';
  openedById: string | null;
  openedByName: string;
  closedByType: 'user' | 'agent' | 'system' | null;
  closedById: string | null;
  closedByName: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  closedAt: Date | null;
}

/** A gate with the caller's rank in its project, or in general where it has none. */
export type SeenGate = GateRow & Seen;

/** How much waits for a gate. */
export interface GateBlocks {
  issues: number;
  agents: number;
}

export const GATE_TABLES = `
  gates g
  LEFT JOIN projects p ON p.id = g.project_id
  LEFT JOIN issues i ON i.id = g.issue_id
  LEFT JOIN agents agent ON agent.id = g.agent_id`;

export const GATE_COLUMNS = `
  g.id, g.kind, g.state, g.project_id AS "projectId", p.key AS "projectKey", p.name AS "projectName",
  g.issue_id AS "issueId", p.key || '-' || i.number AS "issueKey", i.title AS "issueTitle",
  g.agent_id AS "agentId", agent.name AS "agentName", g.holds, g.answer_role AS "answerRole",
  g.title, g.detail, g.options, g.recommended, g.request, g.answer, g.outcome,
  coalesce(g.result_exact, g.result::json) AS result,
  g.opened_by_type AS "openedByType", g.opened_by_id AS "openedById", g.opened_by_name AS "openedByName",
  g.closed_by_type AS "closedByType", g.closed_by_id AS "closedById", g.closed_by_name AS "closedByName",
  g.created_at AS "createdAt", g.expires_at AS "expiresAt", g.closed_at AS "closedAt"`;

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

/** Which gates to list. An absent field matches all. */
export interface GateFilter {
  state?: GateState;
  kind?: GateKind;
  projectId?: string;
  issueId?: string;
  agentId?: string;
}

/** Reads gates, as a caller may see them (contract §5.6). */
@Injectable()
export class GatesRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly pages: KeysetPagesService,
  ) {}

  /** Returns null for an id that is unknown, malformed, or of a gate that the caller does not see. */
  findSeen(caller: Principal, id: string): Promise<SeenGate | null> {
    if (!isUuid(id)) return Promise.resolve(null);
    const visibility = visibilityOf(caller, 'p', 2);
    return this.database.row<SeenGate>(
      `SELECT ${GATE_COLUMNS}, coalesce(${visibility.rank}, 0) AS "callerRank" FROM ${GATE_TABLES} ${visibility.membership}
       WHERE g.id = $1 AND ${seenBy(caller, visibility, 2)}`,
      [id, ...visibility.parameters],
    );
  }

  /** Returns the gates that the caller sees, oldest first. */
  list(caller: Principal, filter: GateFilter, page: PageRequest): Promise<Page<SeenGate>> {
    const visibility = visibilityOf(caller, 'p', 1);
    const parameters = [...visibility.parameters];
    const conditions = conditionsOf(filter, (value) => `$${parameters.push(value)}`);
    const list = {
      columns: `${GATE_COLUMNS}, coalesce(${visibility.rank}, 0) AS "callerRank"`,
      from: `${GATE_TABLES} ${visibility.membership}`,
      where: [seenBy(caller, visibility, 1), ...conditions].join(' AND '),
      parameters,
    };
    return this.pages.readOldestFirst<SeenGate>(list, page, 'g');
  }

  read(id: string): Promise<GateRow | null> {
    return this.database.row<GateRow>(`SELECT ${GATE_COLUMNS} FROM ${GATE_TABLES} WHERE g.id = $1`, [id]);
  }
}

/**
 * A gate of an issue is seen by those who see its project, one without an issue by its agent and by Admins: of its
 * project, or of the installation where it has no project.
 * @param from number of the visibility's first placeholder, which is the caller's id
 */
function seenBy(caller: Principal, { seen, rank }: Visibility, from: number): string {
  const alone = caller.type === 'agent' ? `g.agent_id = $${from}` : `${rank} >= 3`;
  return `(${seen}${caller.type === 'agent' ? ` OR (g.project_id IS NULL AND $${from + 1}::int IS NOT NULL)` : ''})
    AND (g.issue_id IS NOT NULL OR ${alone})`;
}

/** A state comes from a fixed list, and as a literal it fits the partial indexes. */
function conditionsOf(filter: GateFilter, bind: (value: unknown) => string): string[] {
  const { state, kind, projectId, issueId, agentId } = filter;
  if (agentId !== undefined && !isUuid(agentId)) return ['false'];
  return [
    ...(state ? [`g.state = '${state}'`] : []),
    ...(kind ? [`g.kind = ${bind(kind)}`] : []),
    ...(projectId ? [`g.project_id = ${bind(projectId)}`] : []),
    ...(issueId ? [`g.issue_id = ${bind(issueId)}`] : []),
    ...(agentId ? [`g.agent_id = ${bind(agentId)}`] : []),
  ];
}
