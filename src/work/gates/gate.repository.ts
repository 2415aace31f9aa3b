import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import { prepared, unseen } from '../../platform/database/service.client.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import type { Actor } from '../../platform/journal/journal.service.js';
import type { GateKind, GateState } from '../issue-status/issue-status.js';
import { issuesBehind, stoppedByBudgets } from '../issue-status/issue-dependencies.repository.js';
import { type Seen, type Visibility, visibilityOf } from '../projects/visibility.js';
import {
  type CarriedAnswer,
  type DueGate,
  type ExpiredGate,
  Gate,
  type GateAnswer,
  type GateContext,
  type IssueAnswer,
} from './gate.entity.js';

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
  /** How the call that was approved ended, or the checks: passed or failed; null before. */
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

/** The first 500 characters of what the agent wrote last. */
const LAST_WORDS = `
  SELECT json_build_object('text', left(c.content, 500),
    'at', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) FROM comments c
  WHERE c.issue_id = open.issue_id AND c.author_id = open.agent_id ORDER BY c.created_at DESC, c.id DESC LIMIT 1`;

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

/** Which gates to list. An absent field matches all. */
export interface GateFilter extends Partial<Record<'projectId' | 'issueId' | 'agentId', string>> {
  state?: GateState;
  kind?: GateKind;
}

/** A gate to be opened. */
export interface StoredGate extends Pick<
  GateRow,
  | 'id'
  | 'kind'
  | 'projectId'
  | 'issueId'
  | 'agentId'
  | 'holds'
  | 'answerRole'
  | 'title'
  | 'detail'
  | 'options'
> {
  recommended: string | null;
  request: Record<string, unknown>;
  /** At most one open gate has it; null: no such rule. */
  onceKey: string | null;
  /** null for a gate that does not expire. */
  seconds: number | null;
  openedBy: Actor;
}

const ANSWER_COLUMNS = `id AS "gateId", kind, state, request, answer, outcome, result`;

/** What has an end that no worker has received; a call that was approved has none before it was executed. */
const UNDELIVERED = `state <> 'open' AND delivered_at IS NULL AND NOT holds AND kind IN ('question', 'approval', 'checks')
  AND (outcome IS NOT NULL OR answer ->> 'decision' IS DISTINCT FROM 'approve')`;

/** The most answers per issue in one response; the rest follow once those were received. */
const ANSWERS_PER_ISSUE = 100;

const UNDELIVERED_OF_ISSUES = prepared(
  'gates.undelivered',
  `SELECT gate.* FROM unnest(${unseen('$1::uuid[]')}) AS asked(id) CROSS JOIN LATERAL (
     SELECT issue_id AS "issueId", ${ANSWER_COLUMNS} FROM gates WHERE issue_id = asked.id AND ${UNDELIVERED}
     ORDER BY closed_at, id LIMIT ${ANSWERS_PER_ISSUE}) AS gate`,
);

/** Beside what TypeORM gives, the statements about gates that stay SQL (decision 0053). */
@Injectable()
export class GateRepository extends Repository<Gate> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(Gate, source.manager);
  }

  /** SQL: visibility in the same read. Returns null for an id that is unknown, malformed, or of a gate that the caller does not see. */
  async findSeen(caller: Principal, id: string): Promise<SeenGate | null> {
    if (!isUuid(id)) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    const [seen] = await this.query<SeenGate[]>(
      `SELECT ${GATE_COLUMNS}, coalesce(${visibility.rank}, 0) AS "callerRank" FROM ${GATE_TABLES} ${visibility.membership}
       WHERE g.id = $1 AND ${seenBy(caller, visibility, 2)}`,
      [id, ...visibility.parameters],
    );
    return seen ?? null;
  }

  /** SQL: a keyset page with visibility. Returns the gates that the caller sees, oldest first. */
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

  /** SQL: a result keeps the digits of its numbers, and names of other rows come with it. */
  async read(id: string): Promise<GateRow | null> {
    const [gate] = await this.query<GateRow[]>(`SELECT ${GATE_COLUMNS} FROM ${GATE_TABLES} WHERE g.id = $1`, [
      id,
    ]);
    return gate ?? null;
  }

  /**
   * SQL: recursive, and rows of a module above. Returns, for each of these gates, the unresolved issues that wait for it
   * directly or through others, and the agents of those that have nothing else to do; with the last comment of the agent
   * that asks for an approval. A gate that is closed holds nothing and is absent.
   */
  async contextOf(gateIds: string[]): Promise<Map<string, GateContext>> {
    if (gateIds.length === 0) return new Map();
    const rows = await this.query<(GateContext & { id: string })[]>(
      `WITH RECURSIVE open AS (
         SELECT id, kind, issue_id, agent_id, project_id FROM gates WHERE id = ANY($1::uuid[]) AND (state = 'open' OR holds)),
       ${issuesBehind(`(SELECT id, issue_id FROM open WHERE issue_id IS NOT NULL UNION ${stoppedByBudgets('open')})`)},
       concerned AS (
         SELECT behind.root AS id, i.assigned_agent_id AS agent_id FROM behind JOIN issues i ON i.id = behind.issue_id
         UNION SELECT id, agent_id FROM open WHERE issue_id IS NULL)
       SELECT open.id, json_build_object('issues', (SELECT count(*) FROM behind WHERE root = open.id),
         'agents', (SELECT count(*) FROM concerned c WHERE c.id = open.id AND c.agent_id IS NOT NULL
            AND (open.kind = 'budget' OR NOT ${isBusy('c.agent_id')}))) AS blocks,
         CASE open.kind WHEN 'approval' THEN (${LAST_WORDS}) END AS "lastWords"
       FROM open`,
      [gateIds],
    );
    return new Map(rows.map(({ id, ...context }) => [id, context]));
  }

  /** SQL: read by every heartbeat. Returns the answers on these issues that no worker has received for sure, oldest first. */
  async undelivered(issueIds: string[]): Promise<IssueAnswer[]> {
    return issueIds.length === 0 ? [] : this.query<IssueAnswer[]>(UNDELIVERED_OF_ISSUES, [issueIds]);
  }

  /** SQL: the condition of a partial index. Returns the answers on gates of the agent that have no issue, oldest first. */
  undeliveredOf(agentId: string): Promise<CarriedAnswer[]> {
    return this.query(
      `SELECT ${ANSWER_COLUMNS} FROM gates WHERE agent_id = $1 AND issue_id IS NULL AND ${UNDELIVERED}
       ORDER BY closed_at, id LIMIT ${ANSWERS_PER_ISSUE}`,
      [agentId],
    );
  }

  async markDelivered(gateIds: string[]): Promise<void> {
    if (gateIds.length > 0) await this.update({ id: In(gateIds) }, { deliveredAt: () => 'now()' });
  }

  /** SQL: a row of another module. Locks the agent, so that its gates are counted one by one. It comes before any issue. */
  async lockAgent(agentId: string): Promise<void> {
    await this.query('SELECT id FROM agents WHERE id = $1 FOR NO KEY UPDATE', [agentId]);
  }

  /** SQL: a unique index with a condition, and the database's clock. @returns false where an open gate has the same `onceKey` */
  async open(gate: StoredGate): Promise<boolean> {
    const { openedBy: by } = gate;
    const opened = await this.query<unknown[]>(
      `INSERT INTO gates (id, kind, project_id, issue_id, agent_id, holds, answer_role, title, detail, options, recommended,
                          request, once_key, expires_at, opened_by_type, opened_by_id, opened_by_name)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, now() + make_interval(secs => $14), $15, $16, $17)
       ON CONFLICT (once_key) WHERE once_key IS NOT NULL AND state = 'open' DO NOTHING RETURNING id`,
      [
        ...[gate.id, gate.kind, gate.projectId, gate.issueId, gate.agentId, gate.holds, gate.answerRole],
        ...[gate.title, gate.detail, gate.options, gate.recommended, JSON.stringify(gate.request)],
        ...[gate.onceKey, gate.seconds, by.type, by.id, by.name],
      ],
    );
    return opened.length === 1;
  }

  /** Locks an open gate; the row of its issue comes first. @returns false when it is closed */
  async lockOpen(id: string): Promise<boolean> {
    const open = this.createQueryBuilder('gate').select('gate.id').where({ id, state: 'open' });
    return (await open.setLock('pessimistic_write').getOne()) !== null;
  }

  /**
   * SQL: skips locked rows, of another module. Locks the issues of gates that are due, in id order as everywhere. Those that
   * another transaction holds are left to the next round, so that a busy issue delays no other.
   * @returns the gates whose issue is locked, or that have none
   */
  async lockIssuesOf(due: DueGate[]): Promise<string[]> {
    const locked = await this.query<{ id: string }[]>(
      'SELECT id FROM issues WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE SKIP LOCKED',
      [due.flatMap(({ issueId }) => issueId ?? [])],
    );
    const held = new Set(locked.map(({ id }) => id));
    return due.filter(({ issueId }) => issueId === null || held.has(issueId)).map(({ id }) => id);
  }

  /** SQL: the database's clock once more. Expires those of these gates that are still open. */
  async expire(ids: string[]): Promise<ExpiredGate[]> {
    const [expired] = await this.query<[ExpiredGate[], number]>(
      `UPDATE gates SET state = 'expired', closed_at = now(), holds = false,
         closed_by_type = 'system', closed_by_name = 'system'
       WHERE id = ANY($1::uuid[]) AND state = 'open' AND expires_at <= now()
       RETURNING id, kind, project_id AS "projectId", issue_id AS "issueId"`,
      [ids],
    );
    return expired;
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
