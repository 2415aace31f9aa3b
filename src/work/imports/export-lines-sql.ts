import { priorities } from '../issue-status/issue-status.js';

/** The name of the service's own format, in the first line of an export. */
export const FORMAT = 'agent-work-platform';
export const FORMAT_VERSION = 1;

/** The kinds of lines of the own format (contract §5.12). `project` begins an export, and `end` shows that it is whole. */
export const lineKinds = [
  'project',
  'goal',
  'label',
  'issue',
  'link',
  'comment',
  'attachment',
  'code',
  'schedule',
  'end',
] as const;
export type LineKind = (typeof lineKinds)[number];

/** The identity of a row in every export: that of its source where it was imported. @param alias of its table */
const externalId = (alias: string) => `coalesce(
  (SELECT o.external_id FROM imported_objects o WHERE o.object_id = ${alias}.id), 'awp:' || ${alias}.id)`;

const by = (alias: string, prefix: string) =>
  `json_build_object('type', ${alias}.${prefix}_type, 'name', ${alias}.${prefix}_name)`;

const PRIORITY = `(ARRAY[${priorities.map((name) => `'${name}'`).join(', ')}])[i.priority + 1]`;

/** The order of issue, which that of what belongs to them follows: what is imported line by line gets the same numbers. */
const OF_ISSUES = 'i.number';

/** The issue of the project that a template names by its id or key; NULL where there is none. @param name SQL of what names it */
const issueNamed = (name: string) => `
  SELECT ${externalId('i')} FROM issues i WHERE i.project_id = $1 AND (
    i.id = CASE WHEN ${name} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN (${name})::uuid END
    OR i.number = CASE WHEN ${name} ~ ('^' || p.key || '-[1-9][0-9]{0,8}$') THEN substring(${name} FROM '[0-9]+$')::int END)`;

const BLOCKERS_OF_SCHEDULE = `jsonb_array_elements_text(s.template -> 'blockedBy') WITH ORDINALITY AS given(name, place)
  WHERE EXISTS (${issueNamed('given.name')})`;

/**
 * What an export has after its first line, in an order that can be imported line by line. Each statement has the id of the
 * project as its parameter. No column has the address of a person, and no row is of another project.
 */
export const EXPORTED: readonly { kind: LineKind; sql: string }[] = [
  {
    kind: 'goal',
    sql: `SELECT ${externalId('g')} AS "externalId", g.title, g.description
          FROM goals g WHERE g.project_id = $1 ORDER BY g.created_at, g.id`,
  },
  {
    kind: 'label',
    sql: `SELECT l.name, l.color, l.description FROM labels l WHERE l.project_id = $1 ORDER BY lower(l.name), l.id`,
  },
  {
    kind: 'issue',
    sql: `SELECT ${externalId('i')} AS "externalId", p.key || '-' || i.number AS key, i.title, i.description, i.status, i.paused,
            ${PRIORITY} AS priority,
            (SELECT a.name FROM agents a WHERE a.id = i.assigned_agent_id) AS agent,
            (SELECT u.name FROM users u WHERE u.id = i.assignee_user_id) AS assignee,
            (SELECT ${externalId('g')} FROM goals g WHERE g.id = i.goal_id) AS goal,
            ARRAY(SELECT l.name FROM issue_labels has JOIN labels l ON l.id = has.label_id
                  WHERE has.issue_id = i.id ORDER BY lower(l.name), l.id) AS labels,
            ${by('i', 'created_by')} AS "createdBy", i.created_at AS "createdAt", i.updated_at AS "updatedAt",
            i.started_at AS "startedAt", i.resolved_at AS "resolvedAt", i.closed_at AS "closedAt"
          FROM issues i JOIN projects p ON p.id = i.project_id WHERE i.project_id = $1 ORDER BY ${OF_ISSUES}`,
  },
  {
    kind: 'link',
    sql: `SELECT 'Child' AS "linkType", ${externalId('i')} AS source, ${externalId('parent')} AS target,
            i.holds_parent AS "holdsParent"
          FROM issues i JOIN issues parent ON parent.id = i.parent_id WHERE i.project_id = $1 ORDER BY ${OF_ISSUES}`,
  },
  {
    kind: 'link',
    sql: `SELECT l.link_type AS "linkType", ${externalId('i')} AS source, ${externalId('t')} AS target,
            ${by('l', 'created_by')} AS "createdBy", l.created_at AS "createdAt"
          FROM issues i JOIN issue_links l ON l.source_issue_id = i.id AND NOT l.of_child
          JOIN issues t ON t.id = l.target_issue_id AND t.project_id = i.project_id
          WHERE i.project_id = $1 ORDER BY ${OF_ISSUES}, t.number, l.link_type`,
  },
  {
    kind: 'comment',
    sql: `SELECT ${externalId('c')} AS "externalId", ${externalId('i')} AS issue, c.content,
            json_build_object('type', lower(c.author_type), 'name', c.author_name) AS "createdBy",
            c.created_at AS "createdAt", c.updated_at AS "updatedAt"
          FROM issues i JOIN comments c ON c.issue_id = i.id
          WHERE i.project_id = $1 ORDER BY ${OF_ISSUES}, c.created_at, c.id`,
  },
  {
    kind: 'attachment',
    sql: `SELECT 'awp:' || a.id AS "externalId", ${externalId('i')} AS issue, a.filename, a.content_type AS "contentType",
            a.size, a.sha256, ${by('a', 'uploaded_by')} AS "createdBy", a.created_at AS "createdAt"
          FROM issues i JOIN attachments a ON a.issue_id = i.id
          WHERE i.project_id = $1 ORDER BY ${OF_ISSUES}, a.created_at, a.id`,
  },
  {
    kind: 'code',
    sql: `SELECT ${externalId('i')} AS issue, c.url, c.title, c.state, c.author, k.counts,
            ${by('k', 'created_by')} AS "createdBy", k.created_at AS "createdAt"
          FROM issues i JOIN code_links k ON k.issue_id = i.id JOIN code_items c ON c.id = k.item_id
          WHERE i.project_id = $1 ORDER BY ${OF_ISSUES}, k.created_at, k.id`,
  },
  {
    kind: 'schedule',
    sql: `SELECT s.name, s.cron, s.time_zone AS "timeZone", s.policy, s.enabled, json_build_object(
            'title', s.template -> 'title', 'description', s.template -> 'description', 'priority', s.template -> 'priority',
            'agent', (SELECT a.name FROM agents a WHERE a.id = (s.template ->> 'assignedAgentId')::uuid),
            'assignee', (SELECT u.name FROM users u WHERE u.id = (s.template ->> 'assigneeUserId')::uuid),
            'goal', (SELECT ${externalId('g')} FROM goals g WHERE g.id = (s.template ->> 'goalId')::uuid),
            'labels', ARRAY(
              SELECT coalesce((SELECT l.name FROM labels l WHERE l.project_id = $1 AND l.id::text = lower(given.name)), given.name)
              FROM jsonb_array_elements_text(s.template -> 'labels') WITH ORDINALITY AS given(name, place) ORDER BY place),
            'parent', (${issueNamed(`s.template ->> 'parent'`)}),
            'holdsParent', s.template -> 'holdsParent',
            'blockedBy', ARRAY(
              SELECT (${issueNamed('given.name')}) FROM ${BLOCKERS_OF_SCHEDULE} ORDER BY place)) AS template
          FROM schedules s JOIN projects p ON p.id = s.project_id WHERE s.project_id = $1 ORDER BY s.created_at, s.id`,
  },
];

/** The attachments whose bytes an archive has, and what they are called in it. */
export const ATTACHED = `
  SELECT a.id, a.size FROM issues i JOIN attachments a ON a.issue_id = i.id
  WHERE i.project_id = $1 ORDER BY ${OF_ISSUES}, a.created_at, a.id`;

/** How much an export leaves out because it is of two projects. */
export const LEFT_OUT = `
  SELECT (
    SELECT count(*)::int FROM issues i
    JOIN issue_links l ON i.id IN (l.source_issue_id, l.target_issue_id)
    JOIN issues other ON other.id IN (l.source_issue_id, l.target_issue_id) AND other.project_id <> i.project_id
    WHERE i.project_id = $1) AS "linksToOtherProjects",
  (SELECT count(*)::int FROM schedules s JOIN projects p ON p.id = s.project_id, jsonb_array_elements_text(s.template -> 'blockedBy') AS given(name)
   WHERE s.project_id = $1 AND NOT EXISTS (${issueNamed('given.name')})) AS "blockersOfSchedules"`;
