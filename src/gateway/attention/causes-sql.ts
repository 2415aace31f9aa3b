import { issuesBehind } from '../../work/issues/status/issues-behind.js';
import { SEVERITY_OF, severities, type AttentionKind } from './attention-kinds.js';

/** Where a cause is found; `rank` is the caller's in the project (1 Viewer to 4 Owner). */
interface Source {
  kind: AttentionKind;
  /** Selects `since` and the ids of project, issue, agent, server, gate and key. */
  select: string;
}

const NO_ID = 'NULL::uuid';
const columns = (
  since: string,
  ids: Partial<Record<'project' | 'issue' | 'agent' | 'server' | 'gate' | 'key', string>>,
) =>
  [
    `date_trunc('milliseconds', ${since}) AS since`,
    ...(['project', 'issue', 'agent', 'server', 'gate', 'key'] as const).map(
      (name) => `${ids[name] ?? NO_ID} AS ${name}_id`,
    ),
  ].join(', ');

const ofIssue = columns('i.status_since', {
  project: 'i.project_id',
  issue: 'i.id',
  agent: 'i.assigned_agent_id',
});

/** `$4`: failed attempts after which an issue goes to a person. */
const inReview = (attempts: string) => `
  SELECT ${ofIssue} FROM issues i JOIN seen ON seen.id = i.project_id
  WHERE i.status = 'PendingReview' AND i.attempts ${attempts} $4::int`;

/** `$5`: seconds without a heartbeat after which an agent counts as silent. */
const SILENT = `a.last_heartbeat_at IS NULL OR a.last_heartbeat_at < now() - make_interval(secs => $5)`;

/** The issues at the ends of chains that no agent and no person works on. */
const STUCK = `
  SELECT ${ofIssue} FROM (
    SELECT DISTINCT l.source_issue_id AS id FROM issues t JOIN seen ON seen.id = t.project_id
    JOIN issue_links l ON l.target_issue_id = t.id AND l.link_type = 'Blocks' WHERE t.status = 'WaitingOnDependency') AS root
  JOIN issues i ON i.id = root.id JOIN seen ON seen.id = i.project_id
  LEFT JOIN agents a ON a.id = i.assigned_agent_id
  LEFT JOIN issue_leases lease ON lease.issue_id = i.id AND lease.expires_at > now()
  WHERE i.status IN ('Open', 'InProgress') AND lease.issue_id IS NULL
    AND (i.paused OR (a.id IS NULL AND i.assignee_user_id IS NULL) OR (a.id IS NOT NULL AND (a.disabled OR ${SILENT})))`;

/** A gate without an issue is seen by Admins: of its project, or of all. */
const GATES = `
  SELECT ${columns('g.created_at', { project: 'g.project_id', issue: 'g.issue_id', agent: 'g.agent_id', gate: 'g.id' })}
  FROM gates g LEFT JOIN seen ON seen.id = g.project_id
  WHERE g.state = 'open' AND CASE WHEN g.issue_id IS NOT NULL THEN seen.id IS NOT NULL
    WHEN g.project_id IS NOT NULL THEN seen.rank >= 3 ELSE $6::boolean END`;

/** `$7`: three intervals of heartbeats. A lease that was ended or taken over counts for the agent no more. */
const SILENT_AGENTS = `
  SELECT ${columns('a.last_heartbeat_at', { agent: 'a.id' })} FROM agents a
  WHERE a.retired_at IS NULL AND NOT a.disabled AND a.last_heartbeat_at < now() - make_interval(secs => $7)
    AND EXISTS (SELECT 1 FROM issue_leases l JOIN issues i ON i.id = l.issue_id JOIN seen ON seen.id = i.project_id
                WHERE l.agent_id = a.id AND l.expires_at > now() - interval '24 hours')`;

const ofServer = (since: string) => columns(since, { server: 's.id' });
const REFUSED = `s.last_verification ->> 'credentials' = 'refused'`;
const SERVER_ERRORS = `
  SELECT ${ofServer('s.updated_at')} FROM installed_servers s WHERE s.status = 'error' AND (${REFUSED}) IS NOT TRUE`;
const CREDENTIALS = `
  SELECT ${ofServer(`(s.last_verification ->> 'checkedAt')::timestamptz`)} FROM installed_servers s
  WHERE s.status <> 'disabled' AND ${REFUSED}`;
const TOOLS_CHANGED = `
  SELECT ${ofServer('min(coalesce(t.changed_at, t.first_seen_at))')} FROM installed_servers s
  JOIN server_tools t ON t.server_id = s.id
  WHERE s.status <> 'disabled' AND t.present AND t.approved_hash IS DISTINCT FROM t.hash GROUP BY s.id`;

/** The keys of the caller (`$1`); for an Admin those of all users and agents. */
const KEYS = `
  SELECT ${columns(`k.expires_at - interval '7 days'`, { agent: 'k.agent_id', key: 'k.id' })} FROM api_keys k
  LEFT JOIN users u ON u.id = k.user_id LEFT JOIN agents a ON a.id = k.agent_id
  WHERE k.session_id IS NULL AND k.expires_at > now() AND k.expires_at < now() + interval '7 days'
    AND ($6::boolean OR k.user_id = $1) AND u.disabled_at IS NULL AND a.retired_at IS NULL`;

const inProjects: Source[] = [
  { kind: 'gate', select: GATES },
  { kind: 'review', select: inReview('<') },
  { kind: 'exhausted', select: inReview('>=') },
  { kind: 'stuck', select: STUCK },
];
const elsewhere: Source[] = [
  { kind: 'agent_silent', select: SILENT_AGENTS },
  { kind: 'key_expiring', select: KEYS },
];
/** Only Admins see servers. */
const ofServers: Source[] = [
  { kind: 'server_error', select: SERVER_ERRORS },
  { kind: 'credential', select: CREDENTIALS },
  { kind: 'tools_changed', select: TOOLS_CHANGED },
];

/** Where a cause begins to hold issues up; a lease of a silent agent holds its own issue. */
const ROOTS = `
  SELECT key, issue_id FROM cause WHERE issue_id IS NOT NULL
  UNION SELECT cause.key, l.issue_id FROM cause JOIN issue_leases l ON l.agent_id = cause.agent_id
    AND l.expires_at > now() - interval '24 hours' JOIN issues i ON i.id = l.issue_id JOIN seen ON seen.id = i.project_id
  WHERE cause.kind = 'agent_silent'`;

/**
 * CTEs up to `ranked`: all causes that the caller sees, with how many issues wait for each. The issue itself does not
 * wait for a review of it, but it waits for a gate.
 * @param scope which sources count: with a filter by project, only what has a project
 */
export function causes(scope: { filtered: boolean; admin: boolean }, seen: string): string {
  const sources = scope.filtered
    ? inProjects
    : [...inProjects, ...elsewhere, ...(scope.admin ? ofServers : [])];
  const all = sources.map(
    ({ kind, select }) => `SELECT '${kind}' AS kind, found.* FROM (${select}) AS found`,
  );
  return `
    WITH RECURSIVE seen AS MATERIALIZED (${seen}),
    cause AS MATERIALIZED (
      SELECT kind || ':' || coalesce(gate_id, key_id, issue_id, server_id, agent_id) AS key, every.*
      FROM (${all.join(' UNION ALL ')}) AS every),
    ${issuesBehind(`(${ROOTS})`)},
    counted AS (SELECT root, count(*) AS issues FROM behind GROUP BY root),
    ranked AS (
      SELECT cause.*, blocked.issues, CASE WHEN cause.kind IN ('gate', 'review') AND blocked.issues = 0 THEN 1
        ELSE ${severityRank()} END AS severity
      FROM cause LEFT JOIN counted ON counted.root = cause.key
      CROSS JOIN LATERAL (SELECT (coalesce(counted.issues, 0)
        - CASE WHEN cause.kind IN ('review', 'exhausted', 'stuck') THEN 1 ELSE 0 END)::int AS issues) AS blocked)`;
}

function severityRank(): string {
  const cases = Object.entries(SEVERITY_OF).map(
    ([kind, severity]) => `WHEN '${kind}' THEN ${severities.indexOf(severity)}`,
  );
  return `CASE cause.kind ${cases.join(' ')} END`;
}
