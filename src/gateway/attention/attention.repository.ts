import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { UserPrincipal } from '../../platform/auth/principal.js';
import { isAtLeast } from '../../platform/auth/roles.js';
import { Settings } from '../../platform/config/settings.js';
import type { Status } from '../../work/issues/status/issue-status.js';
import { visibilityOf } from '../../work/projects/visibility.js';
import type { AttentionKind } from './attention-kinds.js';
import { causes } from './causes-sql.js';

/** One cause, with what its sentences and actions need. */
export interface CauseRow {
  key: string;
  kind: AttentionKind;
  since: Date;
  severity: number;
  /** The issues that wait for it, directly or through others. */
  issues: number;
  /** The agents of those that have nothing else to do. */
  agents: number;
  /** The caller's rank in the project, 1 Viewer to 4 Owner; null without a project. */
  rank: number | null;
  project: { id: string; key: string; name: string } | null;
  issue: { id: string; key: string; title: string; status: Status; paused: boolean; attempts: number } | null;
  agent: { id: string; name: string; disabled: boolean; retired: boolean; neverSeen: boolean } | null;
  server: { id: string; name: string; reason: string | null; waiting: number } | null;
  gate: {
    id: string;
    kind: string;
    title: string;
    detail: string | null;
    options: string[];
    recommended: string | null;
    answerRole: 'Editor' | 'Admin';
  } | null;
  apiKey: { id: string; name: string; userId: string | null; expiresAt: string } | null;
}

/** The sort key of an item: most blocked issues first. */
export type Position = [number, number, string, string];

export interface AttentionPage {
  rows: CauseRow[];
  counts: Partial<Record<AttentionKind, number>>;
}

const ISSUE = `CASE WHEN i.id IS NOT NULL THEN json_build_object('id', i.id, 'key', p.key || '-' || i.number,
  'title', i.title, 'status', i.status, 'paused', i.paused, 'attempts', i.attempts) END AS issue`;
const AGENT = `CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'name', a.name, 'disabled', a.disabled,
  'retired', a.retired_at IS NOT NULL, 'neverSeen', a.last_heartbeat_at IS NULL) END AS agent`;
const SERVER = `CASE WHEN s.id IS NOT NULL THEN json_build_object('id', s.id, 'name', s.name, 'reason', s.status_reason,
  'waiting', (SELECT count(*) FROM server_tools t WHERE t.server_id = s.id AND t.present AND t.approved_hash IS DISTINCT FROM t.hash))
  END AS server`;
const GATE = `CASE WHEN g.id IS NOT NULL THEN json_build_object('id', g.id, 'kind', g.kind, 'title', g.title, 'detail', g.detail,
  'options', g.options, 'recommended', g.recommended, 'answerRole', g.answer_role) END AS gate`;
const API_KEY = `CASE WHEN k.id IS NOT NULL THEN json_build_object('id', k.id, 'name', k.name, 'userId', k.user_id,
  'expiresAt', to_char(k.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END AS "apiKey"`;

/** The rows of the page, and the agents that wait for each and have nothing else that they could do. */
const CHOSEN = `
  chosen AS MATERIALIZED (
    SELECT * FROM ranked
    WHERE $8::int IS NULL OR (-issues, severity, since, key) > ($8::int, $9::int, $10::timestamptz, $11::text)
    ORDER BY -issues, severity, since, key LIMIT $12::int),
  idle AS MATERIALIZED (
    SELECT held.key, count(*)::int AS agents FROM (
      SELECT DISTINCT c.key, c.issue_id, b.assigned_agent_id AS agent_id
      FROM chosen c JOIN behind ON behind.root = c.key JOIN issues b ON b.id = behind.issue_id
      WHERE b.assigned_agent_id IS NOT NULL AND (c.kind IN ('gate', 'agent_silent') OR b.id <> c.issue_id)) AS held
    WHERE NOT EXISTS (
      SELECT 1 FROM issues other WHERE other.assigned_agent_id = held.agent_id AND NOT other.paused
        AND other.status IN ('Open', 'InProgress') AND other.id IS DISTINCT FROM held.issue_id)
    GROUP BY held.key)`;

const PAGE = `
  SELECT r.key, r.kind, r.since, r.severity, r.issues, coalesce(idle.agents, 0) AS agents, seen.rank,
    CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'key', p.key, 'name', p.name) END AS project,
    ${ISSUE}, ${AGENT}, ${SERVER}, ${GATE}, ${API_KEY}
  FROM chosen r LEFT JOIN idle ON idle.key = r.key
  LEFT JOIN seen ON seen.id = r.project_id LEFT JOIN projects p ON p.id = r.project_id
  LEFT JOIN issues i ON i.id = r.issue_id
  LEFT JOIN agents a ON a.id = r.agent_id LEFT JOIN installed_servers s ON s.id = r.server_id
  LEFT JOIN gates g ON g.id = r.gate_id LEFT JOIN api_keys k ON k.id = r.key_id`;

const ORDER = 'ORDER BY -page.issues, page.severity, page.since, page.key';

/** Finds what needs a person. All causes are read in one statement whatever their number. */
@Injectable()
export class AttentionRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly settings: Settings,
  ) {}

  /** @param projectId limits it to what has this project; null for all */
  async page(
    caller: UserPrincipal,
    projectId: string | null,
    limit: number,
    after: Position | null,
  ): Promise<AttentionPage> {
    const visibility = visibilityOf(caller, 'p', 1);
    const admin = isAtLeast(caller.role, 'Admin');
    const seen = `SELECT p.id, (${visibility.rank})::int AS rank FROM projects p ${visibility.membership}
      WHERE ${visibility.seen} AND ($3::uuid IS NULL OR p.id = $3)
        AND $4::int IS NOT NULL AND $5::float8 IS NOT NULL AND $6::boolean IS NOT NULL AND $7::float8 IS NOT NULL`;
    const { leaseSeconds, maxAttempts } = this.settings;
    const interval = Math.min(30, Math.max(1, Math.floor(leaseSeconds / 3)));
    const rows = await this.database.rows<CauseRow & { counts: AttentionPage['counts'] | null }>(
      `${causes({ filtered: projectId !== null, admin }, seen)}, ${CHOSEN}
       SELECT total.counts, page.* FROM (
         SELECT json_object_agg(kind, n) AS counts FROM (SELECT kind, count(*)::int AS n FROM ranked GROUP BY kind) AS by_kind) AS total
       LEFT JOIN (${PAGE}) AS page ON true ${ORDER}`,
      [
        ...visibility.parameters,
        projectId,
        maxAttempts,
        leaseSeconds,
        admin,
        interval * 3,
        ...(after ?? [null, null, null, null]),
        limit,
      ],
    );
    return { counts: rows[0]?.counts ?? {}, rows: rows.filter(({ key }) => key !== null) };
  }
}
