import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { validate as isUuid, version } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { isValidSession } from '../../platform/authentication/session.repository.js';
import { Settings } from '../../platform/config/settings.js';
import { prepared } from '../../platform/database/service.client.js';
import type { Actor } from '../../platform/journal/journal.service.js';
import {
  JournalMonthsService,
  projectOfIssue,
} from '../../platform/journal/journal-rows-and-months.repository.js';

/** An event as the event stream and webhooks send it (contract §8). */
export interface Event {
  id: string;
  type: string;
  /** ISO 8601 in UTC with milliseconds. */
  at: string;
  projectId: string | null;
  actor: Actor;
  subject: { type: string; id: string | null };
  data: Record<string, unknown>;
}

/** A row of the journal with the fields that decide who may see it. */
export interface JournalRow extends Event {
  position: number;
  /** The project of another issue that `data` names, such as a link's target or a blocker; null when it names none. */
  otherProjectId: string | null;
  namesOther: boolean;
}

/** Columns of `journal j` that make a `JournalRow`, except for the project of another issue. */
export const EVENT_COLUMNS = `
  j.position, j.id, j.type,
  to_char(j.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, j.project_id AS "projectId",
  json_build_object('type', j.actor_type, 'id', j.actor_id, 'name', j.actor_name) AS actor,
  json_build_object('type', j.subject_type, 'id', j.subject_id) AS subject,
  CASE WHEN j.issue_id IS NULL OR j.subject_type = 'issue' THEN j.data
       ELSE jsonb_build_object('issueId', j.issue_id) || j.data END AS data`;

/** The named fields of an event, in the order of the contract. */
function eventOf({ id, type, at, projectId, actor, subject, data }: Event): Event {
  return { id, type, at, projectId, actor, subject, data };
}

/** What a reader may see when one batch is read. */
export interface ReaderRights {
  /** The key or session is valid, and its owner is not disabled or deleted. */
  alive: boolean;
  agentId: string | null;
  /** Admins and Owners see every event. */
  everything: boolean;
  /** The projects among those that the batch names that the reader may see. */
  projectIds: ReadonlySet<string>;
}

/**
 * Returns the event as this reader may see it, or null. Only Admins see events about users, keys, logins, refusals and
 * MCP servers. Every user sees events about agents (as in GET /api/agents); an agent sees those about itself and the halt.
 */
export function seenBy(row: JournalRow, rights: ReaderRights): Event | null {
  if (rights.everything) return eventOf(row);
  if (row.projectId === null) return isOfAgents(row, rights) ? eventOf(row) : null;
  if (!rights.projectIds.has(row.projectId)) return null;
  if (!row.namesOther || (row.otherProjectId !== null && rights.projectIds.has(row.otherProjectId)))
    return eventOf(row);
  return withoutOther(row);
}

function isOfAgents({ type, subject }: JournalRow, { agentId }: ReaderRights): boolean {
  if (!type.startsWith('agent.')) return false;
  return agentId === null || subject.id === agentId || subject.type !== 'agent';
}

/** As in the timeline (contract §2): a link to an issue that the reader cannot see is left out, a blocker's id is removed. */
function withoutOther(row: JournalRow): Event | null {
  if (row.type.startsWith('link.')) return null;
  const { blockerId: _, linkId: __, ...data } = row.data;
  return eventOf({ ...row, data });
}

/** Rows of the journal, and what each reader may see of them in the order of the readers given. */
export interface Batch {
  rows: JournalRow[];
  rights: ReaderRights[];
}

@Injectable()
export class ReaderBatchesRepository {
  private readonly batchSql: string;

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly months: JournalMonthsService,
    settings: Settings,
  ) {
    this.batchSql = prepared('events.batch', batchOf(isValidSession('s', settings)));
  }

  /**
   * One statement for all readers of the process. Rows and rights come from one snapshot, and no right is cached.
   * @param above exclusive
   */
  async read(readers: Principal[], above: number, upTo: number, limit: number): Promise<Batch> {
    const [row] = await this.source.query<{ rows: JournalRow[]; rights: RightsRow[] }[]>(this.batchSql, [
      above,
      upTo,
      limit,
      readers.map(({ type }) => type),
      readers.map(({ id }) => id),
      readers.map(({ keyId }) => keyId),
      readers.map((reader) => (reader.type === 'user' ? reader.sessionId : null)),
    ]);
    return { rows: row!.rows, rights: row!.rights.map(rightsOf) };
  }

  /** What each reader may see now; only `alive` and `everything` mean something without rows. */
  async rights(readers: Principal[]): Promise<ReaderRights[]> {
    return (await this.read(readers, 0, 0, 0)).rights;
  }

  /** The position of the journal row with this id; null when there is none. */
  async positionOf(eventId: string): Promise<number | null> {
    const madeAt = instantOf(eventId);
    const [row] = await this.source.query<{ position: string }[]>(
      'SELECT position FROM journal WHERE id = $1 AND position >= $2::bigint AND position < $3::bigint',
      [
        eventId,
        madeAt ? await this.months.firstPosition(madeAt) : 0,
        madeAt ? await this.months.endPosition(madeAt) : Number.MAX_SAFE_INTEGER,
      ],
    );
    return row ? Number(row.position) : null;
  }

  /** The last position that the retention has deleted, and the time of its row. */
  async pruned(): Promise<{ position: number; until: Date | null }> {
    const [row] = await this.source.query<{ position: string; until: Date | null }[]>(
      'SELECT position, until FROM journal_pruned',
    );
    return { position: Number(row!.position), until: row!.until };
  }
}

/** The time in a UUID of version 7, which the journal gives its rows; null for another text. */
export function instantOf(id: string): Date | null {
  if (!isUuid(id) || version(id) !== 7) return null;
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

interface RightsRow extends Omit<ReaderRights, 'projectIds'> {
  projectIds: string[];
}

function rightsOf(row: RightsRow): ReaderRights {
  return { ...row, projectIds: new Set(row.projectIds) };
}

/**
 * `places` are the projects that the rows name. A deleted project is visible to those who could see it when it was
 * deleted.
 */
const batchOf = (sessionIsValid: string): string => `
  WITH batch AS MATERIALIZED (
    SELECT ${EVENT_COLUMNS}, other.id IS NOT NULL AS "namesOther",
      ${projectOfIssue('other.id')} AS "otherProjectId"
    FROM journal j
    CROSS JOIN LATERAL (SELECT coalesce(j.data->>'targetIssueId', j.data->>'blockerId')::uuid AS id) AS other
    WHERE j.position > $1::bigint AND j.position <= $2::bigint ORDER BY j.position LIMIT $3
  ), places AS MATERIALIZED (
    SELECT named.id, coalesce(p.visibility, d.visibility) = 'open' AS open, d.member_ids
    FROM (SELECT "projectId" AS id FROM batch UNION SELECT "otherProjectId" FROM batch) AS named
    LEFT JOIN projects p ON p.id = named.id LEFT JOIN deleted_projects d ON d.id = named.id AND p.id IS NULL
    WHERE named.id IS NOT NULL
  ), readers AS (
    SELECT r.number, r.type, r.id,
      CASE r.type
        WHEN 'agent' THEN EXISTS (SELECT 1 FROM agents a WHERE a.id = r.id AND a.retired_at IS NULL) AND k.agent_id = r.id
        ELSE u.id IS NOT NULL AND (k.user_id = r.id OR s.user_id = r.id)
      END AS alive,
      r.type = 'user' AND least(array_position(ARRAY['Viewer', 'Editor', 'Admin', 'Owner'], u.role),
        coalesce(array_position(ARRAY['Viewer', 'Editor', 'Admin', 'Owner'], k.role), 4)) >= 3 AS everything
    FROM unnest($4::text[], $5::uuid[], $6::uuid[], $7::uuid[]) WITH ORDINALITY
      AS r (type, id, key_id, session_id, number)
    LEFT JOIN users u ON u.id = r.id AND r.type = 'user' AND u.disabled_at IS NULL
    LEFT JOIN api_keys k ON k.id = r.key_id AND (k.expires_at IS NULL OR k.expires_at > now())
    LEFT JOIN sessions s ON s.id = r.session_id AND ${sessionIsValid}
  )
  SELECT
    coalesce((SELECT json_agg(batch ORDER BY position) FROM batch), '[]') AS rows,
    coalesce((SELECT json_agg(json_build_object(
      'alive', coalesce(r.alive, false), 'everything', coalesce(r.everything, false),
      'agentId', CASE WHEN r.type = 'agent' THEN r.id END,
      'projectIds', ARRAY(
        SELECT p.id FROM places p
        WHERE NOT coalesce(r.everything, false) AND (p.open OR r.id = ANY(p.member_ids) OR EXISTS (
          SELECT 1 FROM project_members m WHERE m.project_id = p.id AND r.id IN (m.user_id, m.agent_id))))
    ) ORDER BY r.number) FROM readers r), '[]') AS rights`;
