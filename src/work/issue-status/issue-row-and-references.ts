import { validate as isUuid } from 'uuid';
import type { Status } from './issue-status.js';

const ISSUE_KEY = /^([A-Z][A-Z0-9]{1,9})-([1-9]\d{0,8})$/;

/** A key such as `DOCS-12` in its parts. */
export interface IssueKey {
  projectKey: string;
  number: number;
}

/** The name of an issue in a path or body: its id or its key. */
type IssueReference = { id: string } | IssueKey;

/** Returns null for a text that cannot name an issue. */
export function parseIssueReference(text: string): IssueReference | null {
  if (isUuid(text)) return { id: text };
  const parts = ISSUE_KEY.exec(text);
  return parts ? { projectKey: parts[1]!, number: Number(parts[2]) } : null;
}

/** An issue with what it shows from other rows, as `ISSUE_COLUMNS` reads it. */
export interface IssueRow {
  id: string;
  key: string;
  projectId: string;
  title: string;
  description: string;
  status: Status;
  paused: boolean;
  priority: number;
  assignedAgentId: string | null;
  agentName: string | null;
  assigneeUserId: string | null;
  userName: string | null;
  goalId: string | null;
  parentId: string | null;
  /** Whether its parent waits for it. */
  holdsParent: boolean;
  /** Null for an issue without children. */
  children: ChildCounts | null;
  /** By name; null for an issue without labels. */
  labels: LabelRow[] | null;
  links: LinkRow[];
  /** null for an issue that no import has made or updated. */
  imported: ImportedFrom | null;
  leaseExpiresAt: Date | null;
  attempts: number;
  version: number;
  createdByType: 'user' | 'agent' | 'system';
  createdById: string | null;
  createdByName: string;
  createdAt: Date;
  updatedAt: Date;
  /** When it got its present status. */
  statusSince: Date;
  startedAt: Date | null;
  resolvedAt: Date | null;
  closedAt: Date | null;
}

/** What an issue is at the source of its import, and when an import wrote it last, as ISO 8601. */
export interface ImportedFrom {
  externalId: string;
  at: string;
}

/** How many issues have an issue as their parent, and how many of those are Resolved or Closed. */
export interface ChildCounts {
  total: number;
  resolved: number;
}

/** An issue without what can be long, as `SUMMARY_COLUMNS` reads it. */
export type SummaryRow = Omit<IssueRow, 'description' | 'links' | 'imported'>;

/** What an issue shows from other rows. */
export type IssueRelations = Pick<
  IssueRow,
  'agentName' | 'userName' | 'children' | 'labels' | 'links' | 'imported' | 'leaseExpiresAt'
>;

/** An issue whose row the running transaction holds: what every decision is made on. */
export type LockedIssue = Omit<IssueRow, keyof IssueRelations>;

/** The fields of an issue that a caller may write. */
export type EditableFields = Pick<
  IssueRow,
  | 'title'
  | 'description'
  | 'priority'
  | 'assignedAgentId'
  | 'assigneeUserId'
  | 'goalId'
  | 'parentId'
  | 'holdsParent'
>;

/** The colours of labels, by the names of the dashboard's palette (contract §5.8). */
export const labelColors = [
  'gray',
  'brown',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'cyan',
  'blue',
  'violet',
  'magenta',
  'pink',
] as const;
export type LabelColor = (typeof labelColors)[number];

/** A label as an issue shows it. */
export interface LabelRow {
  id: string;
  name: string;
  color: LabelColor;
}

/** A link as seen from one of its ends; `targetIssueId` is the other one. */
export interface LinkRow {
  id: string;
  issueId: string;
  targetIssueId: string;
  linkType: LinkType;
  direction: 'outgoing' | 'incoming';
  target: { key: string; title: string; status: Status };
  createdBy: { type: 'user' | 'agent' | 'system'; id: string | null; name: string };
  /** ISO 8601 with milliseconds, as JSON made in the database holds it. */
  createdAt: string;
}

export const linkTypes = ['Blocks', 'BlockedBy', 'RelatedTo', 'DuplicateOf'] as const;
export type LinkType = (typeof linkTypes)[number];

/**
 * The tables that the columns below read: the issue `i`, its project `p`, its assignees `agent` and `person`, its `lease`.
 * @param issues the table, or a subquery in its place
 */
export const issueTables = (issues: string) => `
  ${issues} i
  JOIN projects p ON p.id = i.project_id
  LEFT JOIN agents agent ON agent.id = i.assigned_agent_id
  LEFT JOIN users person ON person.id = i.assignee_user_id
  LEFT JOIN issue_leases lease ON lease.issue_id = i.id`;
export const ISSUE_TABLES = issueTables('issues');

/** Columns of the issue's own row without what can be long; of `i` and its project `p`. */
const OWN_COLUMNS = `
  i.id, p.key || '-' || i.number AS key, i.project_id AS "projectId", i.title, i.status, i.paused, i.priority,
  i.assigned_agent_id AS "assignedAgentId", i.assignee_user_id AS "assigneeUserId", i.goal_id AS "goalId",
  i.parent_id AS "parentId", i.holds_parent AS "holdsParent",
  i.attempts, i.version,
  i.created_by_type AS "createdByType", i.created_by_id AS "createdById", i.created_by_name AS "createdByName",
  i.created_at AS "createdAt", i.updated_at AS "updatedAt", i.status_since AS "statusSince", i.started_at AS "startedAt",
  i.resolved_at AS "resolvedAt", i.closed_at AS "closedAt"`;

/** Columns of `LockedIssue`, over `issues i JOIN projects p`. */
export const LOCKED_COLUMNS = `${OWN_COLUMNS}, i.description`;

/** Columns of an issue for its rules: those of a summary without labels and children. */
export const SEEN_COLUMNS = `
  ${OWN_COLUMNS}, agent.name AS "agentName", person.name AS "userName",
  CASE WHEN lease.expires_at > now() THEN lease.expires_at END AS "leaseExpiresAt"`;

/**
 * The labels of an issue by name, as one JSON array. The count in the row of the issue spares one without labels the look
 * into other tables, and the function of the database the planning of it in each list.
 */
const LABELS = 'CASE WHEN i.label_count > 0 THEN labels_of_issue(i.id) END AS labels';

/** The counts of the children of an issue, likewise. */
const CHILDREN = 'CASE WHEN i.is_parent THEN children_of_issue(i.id) END AS children';

/** Columns of `IssueRow` without what can be long, over `issueTables`. */
export const SUMMARY_COLUMNS = `${SEEN_COLUMNS}, ${LABELS}, ${CHILDREN}`;

/** One link as JSON: `k` is the link, `o` the issue at its other end, `op` that issue's project. */
const linkJson = (type: string, direction: string, self: string, other: string) => `
  json_build_object('id', k.id, 'issueId', k.${self}, 'targetIssueId', k.${other}, 'linkType', ${type},
    'direction', '${direction}', 'target', json_build_object('key', op.key || '-' || o.number, 'title', o.title, 'status', o.status),
    'createdBy', json_build_object('type', k.created_by_type, 'id', k.created_by_id, 'name', k.created_by_name),
    'createdAt', to_char(k.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/**
 * The links of an issue as seen from its side, oldest first, as one JSON array. A caller who sees one end of a link
 * sees the other: links of a members-only project stay within it. The edges of children are no links (contract §5.9).
 * @param issueId SQL of the issue's id
 */
export const linksOf = (issueId: string) => `
  coalesce((
    SELECT json_agg(seen.link ORDER BY seen.created_at, seen.id) FROM (
      SELECT k.id, k.created_at, ${linkJson('k.link_type', 'outgoing', 'source_issue_id', 'target_issue_id')} AS link
      FROM issue_links k JOIN issues o ON o.id = k.target_issue_id JOIN projects op ON op.id = o.project_id
      WHERE k.source_issue_id = ${issueId} AND NOT k.of_child
      UNION ALL
      SELECT k.id, k.created_at,
        ${linkJson(`CASE k.link_type WHEN 'Blocks' THEN 'BlockedBy' ELSE k.link_type END`, 'incoming', 'target_issue_id', 'source_issue_id')}
      FROM issue_links k JOIN issues o ON o.id = k.source_issue_id JOIN projects op ON op.id = o.project_id
      WHERE k.target_issue_id = ${issueId} AND NOT k.of_child
    ) AS seen), '[]'::json)`;

/** What an import has remembered of an issue, by its unique index. @param issueId SQL of the issue's id */
export const importedFrom = (issueId: string) => `
  (SELECT json_build_object('externalId', o.external_id,
     'at', to_char(o.imported_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
   FROM imported_objects o WHERE o.object_id = ${issueId})`;

export const ISSUE_COLUMNS = `
  ${SUMMARY_COLUMNS}, i.description, ${linksOf('i.id')} AS links, ${importedFrom('i.id')} AS imported`;
