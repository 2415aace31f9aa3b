import type { Status } from './issue-status.js';

/** An issue as the queries of this room read it; `issueColumns` fills it. */
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
  links: LinkRow[];
  leaseExpiresAt: Date | null;
  attempts: number;
  version: number;
  createdByType: 'user' | 'agent' | 'system';
  createdById: string | null;
  createdByName: string;
  createdAt: Date;
  updatedAt: Date;
  startedAt: Date | null;
  resolvedAt: Date | null;
  closedAt: Date | null;
}

/** A link as told from one of its ends: `targetIssueId` is the other one. */
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
 * Tables of `issueColumns`: the issue `i`, its project `p`, names of its assignees, its lease.
 * @param issues the table, or what stands in its place
 */
export const issueTables = (issues: string) => `
  ${issues} i
  JOIN projects p ON p.id = i.project_id
  LEFT JOIN agents agent ON agent.id = i.assigned_agent_id
  LEFT JOIN users person ON person.id = i.assignee_user_id
  LEFT JOIN issue_leases lease ON lease.issue_id = i.id`;
export const ISSUE_TABLES = issueTables('issues');

/** Columns of `IssueRow` without what can be long. */
export const SUMMARY_COLUMNS = `
  i.id, p.key || '-' || i.number AS key, i.project_id AS "projectId", i.title, i.status, i.paused, i.priority,
  i.assigned_agent_id AS "assignedAgentId", agent.name AS "agentName",
  i.assignee_user_id AS "assigneeUserId", person.name AS "userName", i.goal_id AS "goalId",
  CASE WHEN lease.expires_at > now() THEN lease.expires_at END AS "leaseExpiresAt", i.attempts, i.version,
  i.created_by_type AS "createdByType", i.created_by_id AS "createdById", i.created_by_name AS "createdByName",
  i.created_at AS "createdAt", i.updated_at AS "updatedAt", i.started_at AS "startedAt",
  i.resolved_at AS "resolvedAt", i.closed_at AS "closedAt"`;

/** One link as JSON; `k` is the link, `o` and `op` the issue at its other end and that one's project. */
const linkJson = (type: string, direction: string, self: string, other: string) => `
  json_build_object('id', k.id, 'issueId', k.${self}, 'targetIssueId', k.${other}, 'linkType', ${type},
    'direction', '${direction}', 'target', json_build_object('key', op.key || '-' || o.number, 'title', o.title, 'status', o.status),
    'createdBy', json_build_object('type', k.created_by_type, 'id', k.created_by_id, 'name', k.created_by_name),
    'createdAt', to_char(k.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/**
 * The links of an issue told from its side, oldest first, as one JSON array. Both ends of a link are visible
 * to whoever sees one: links of a members-only project stay within it.
 * @param issueId SQL of the issue's id
 */
export const linksOf = (issueId: string) => `
  coalesce((
    SELECT json_agg(told.link ORDER BY told.created_at, told.id) FROM (
      SELECT k.id, k.created_at, ${linkJson('k.link_type', 'outgoing', 'source_issue_id', 'target_issue_id')} AS link
      FROM issue_links k JOIN issues o ON o.id = k.target_issue_id JOIN projects op ON op.id = o.project_id
      WHERE k.source_issue_id = ${issueId}
      UNION ALL
      SELECT k.id, k.created_at,
        ${linkJson(`CASE k.link_type WHEN 'Blocks' THEN 'BlockedBy' ELSE k.link_type END`, 'incoming', 'target_issue_id', 'source_issue_id')}
      FROM issue_links k JOIN issues o ON o.id = k.source_issue_id JOIN projects op ON op.id = o.project_id
      WHERE k.target_issue_id = ${issueId}
    ) AS told), '[]'::json)`;

export const ISSUE_COLUMNS = `${SUMMARY_COLUMNS}, i.description, ${linksOf('i.id')} AS links`;
