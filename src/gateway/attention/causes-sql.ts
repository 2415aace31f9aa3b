import { IS_FAILING } from '../../agents/agent-failures-over-budget-and-why.service.js';
import { BUDGET_SHARE, budgetsOf } from '../../work/budgets/budget.repository.js';
import { MANY_RELEASES } from '../../work/issue-status/given-back-issues-and-attempts.repository.js';
import {
  isAmongWaiting,
  issuesBehind,
  stoppedByBudgets,
  WAITING_ISSUES,
} from '../../work/issue-status/issue-dependencies.repository.js';
import { type AttentionKind, byBlocked, severityRank, TAB_OF, tabs } from './attention-kinds.js';
import { NEAR } from '../../work/budgets/budget-limits-and-amounts.js';

/** What narrows a list and its counts (contract §8.7); an absent field does not. */
export interface CauseFilter {
  projectId?: string;
  /** The agent that a cause concerns, or that has its issue. */
  agentId?: string;
  /** The user whose issues, memberships and keys count. */
  mine?: string;
  /** Items by their ids. */
  ids?: string[];
  /** The equal questions of one group. */
  group?: string;
}

/** Where causes of one kind are found, for every caller alike. */
interface Source {
  kind: AttentionKind;
  /** Selects `since`, the least rank that sees it, and the ids of `names`. */
  select: string;
}

/** Attempts after which work failed too often, and seconds of silence after which an agent without a lease is gone. */
const [ATTEMPTS, SILENCE] = ['$1::int', '$2::float8'];
/** With the filter its project, otherwise the silence after which an agent with a lease is listed. */
const [PROJECT, INTERVALS] = ['$3::uuid', '$3::float8'];
/** The first parameter of the other filters, after those of attention-pages-counts-and-snoozes-sql.ts. */
const FIRST_FILTER = 15;

const names = [
  'project',
  'issue',
  'agent',
  'server',
  'set',
  'gate',
  'key',
  'budget',
  'owner',
  'webhook',
  'schedule',
  'group',
] as const;
const columns = (since: string, least: string, ids: Partial<Record<(typeof names)[number], string>>) =>
  [
    `date_trunc('milliseconds', ${since}) AS since, ${least} AS least`,
    ...names.map((name) => `${ids[name] ?? 'NULL::uuid'} AS ${name}_id`),
  ].join(', ');

const ofIssue = columns('i.status_since', '1', {
  project: 'i.project_id',
  issue: 'i.id',
  agent: 'i.assigned_agent_id',
});

/** Condition: the issue has the status. The indexes over all projects hold it under another collation (decision 0011). */
const inStatus = (alias: string, status: string, filtered: boolean) =>
  filtered
    ? `${alias}.status = '${status}' AND ${alias}.project_id = ${PROJECT}`
    : `${alias}.status COLLATE "C" = '${status}'`;

const inReview = (attempts: string, filtered: boolean) => `
  SELECT ${ofIssue} FROM issues i
  WHERE ${inStatus('i', 'PendingReview', filtered)} AND i.attempts ${attempts} ${ATTEMPTS}`;

const SILENT = `a.last_heartbeat_at IS NULL OR a.last_heartbeat_at < now() - make_interval(secs => ${SILENCE})`;

/** The issues at the ends of chains that no agent and no person works on. A link never leaves a members-only project. */
const stuck = (filtered: boolean) => `
  SELECT ${ofIssue} FROM (
    SELECT DISTINCT l.source_issue_id AS id FROM issues t
    JOIN issue_links l ON l.target_issue_id = t.id AND l.link_type = 'Blocks'
    WHERE t.status COLLATE "C" = 'WaitingOnDependency' AND NOT ${isAmongWaiting('l.source_issue_id')}) AS root
  JOIN issues i ON i.id = root.id ${filtered ? `AND i.project_id = ${PROJECT}` : ''}
  LEFT JOIN agents a ON a.id = i.assigned_agent_id
  LEFT JOIN issue_leases lease ON lease.issue_id = i.id AND lease.expires_at > now()
  WHERE i.status IN ('Open', 'InProgress') AND lease.issue_id IS NULL
    AND (i.paused OR (a.id IS NULL AND i.assignee_user_id IS NULL) OR (a.id IS NOT NULL AND (a.disabled OR ${SILENT})))`;

/** The issues that their agent takes and releases again and again: a person has to see why. */
const released = (filtered: boolean) => `
  SELECT ${columns('i.released_since', '1', {
    ...{ project: 'i.project_id', issue: 'i.id', agent: 'i.assigned_agent_id' },
  })}
  FROM issues i
  WHERE i.releases >= ${MANY_RELEASES} AND i.given_back_by = i.assigned_agent_id AND i.status IN ('Open', 'InProgress')
    ${filtered ? `AND i.project_id = ${PROJECT}` : ''}`;

/**
 * Equal questions have one id: the same words and options, for people of the same role. One answer is then right for all of
 * them. The form of a server is filled in for its own call.
 */
const QUESTION = `CASE WHEN g.kind = 'question' AND g.request -> 'schema' IS NULL THEN
  md5(ROW(g.title, g.detail, g.options, g.recommended, g.answer_role, g.issue_id IS NULL)::text)::uuid END`;

/** Checks need no person. A gate without an issue is seen by Admins: of its project, or of all. One that a person opened concerns the issue's agent. */
const gates = (filtered: boolean) => `
  SELECT ${columns('g.created_at', 'CASE WHEN g.issue_id IS NOT NULL THEN 1 ELSE 3 END', {
    ...{ project: 'g.project_id', issue: 'g.issue_id', gate: 'g.id', group: QUESTION },
    agent: 'coalesce(g.agent_id, i.assigned_agent_id)',
  })}
  FROM gates g LEFT JOIN issues i ON i.id = g.issue_id
  WHERE g.state = 'open' AND g.kind <> 'checks' ${filtered ? `AND g.project_id = ${PROJECT}` : ''}`;

/** Who may read a budget sees it: Editors that of an issue, Admins the others. */
const budgets = (filtered: boolean) => `
  SELECT ${columns(
    `greatest(current.start::timestamp AT TIME ZONE 'UTC', b.updated_at)`,
    `CASE b.scope WHEN 'issue' THEN 2 ELSE 3 END`,
    {
      ...{ project: 'coalesce(i.project_id, p.id)', issue: 'i.id', budget: 'b.scope_id' },
      agent: 'coalesce(a.id, i.assigned_agent_id)',
    },
  )}
  FROM ${budgetsOf('b')}
  LEFT JOIN issues i ON b.scope = 'issue' AND i.id = b.scope_id AND i.status NOT IN ('Resolved', 'Closed')
  LEFT JOIN projects p ON b.scope = 'project' AND p.id = b.scope_id
  LEFT JOIN agents a ON b.scope = 'agent' AND a.id = b.scope_id AND a.retired_at IS NULL
  WHERE b.stopped_on IS DISTINCT FROM current.start AND ${BUDGET_SHARE} >= ${NEAR}
    AND num_nonnulls(i.id, p.id, a.id) = 1 ${filtered ? `AND coalesce(i.project_id, p.id) = ${PROJECT}` : ''}`;

/**
 * The leases that a silent agent may still hold, each with the members-only project that hides it. While a lease lives
 * that was taken over MCP, its agent owes no heartbeat.
 */
export const HELD = `
  SELECT l.agent_id, l.issue_id, CASE p.visibility WHEN 'open' THEN NULL ELSE p.id END AS hidden_in
  FROM issue_leases l JOIN issues i ON i.id = l.issue_id JOIN projects p ON p.id = i.project_id
  WHERE l.expires_at > now() - interval '24 hours'
    AND NOT (l.mcp_token IS NOT DISTINCT FROM l.token AND l.expires_at > now())`;

/** An agent with a lease is silent after so many intervals without a heartbeat (contract §8.7). */
export const SILENT_INTERVALS = 3;

/**
 * A lease that was ended or taken over counts for the agent no more. One row for the open projects, which every user
 * sees, and one for each members-only project: a caller's item is the sum of those that the caller sees.
 */
const SILENT_AGENTS = `
  SELECT DISTINCT ${columns('a.last_heartbeat_at', 'CASE WHEN held.hidden_in IS NULL THEN 0 ELSE 1 END', {
    ...{ project: 'held.hidden_in', agent: 'a.id' },
  })}
  FROM agents a JOIN (${HELD}) AS held ON held.agent_id = a.id
  WHERE a.retired_at IS NULL AND NOT a.disabled AND a.last_heartbeat_at < now() - make_interval(secs => ${INTERVALS})`;

const FAILING_AGENTS = `
  SELECT ${columns('f.since', '3', { agent: 'a.id' })} FROM agent_failures f JOIN agents a ON a.id = f.agent_id
  WHERE ${IS_FAILING} AND a.retired_at IS NULL AND NOT a.disabled`;

/** What an agent could work on: an issue of a members-only project must not count for those who do not see it. */
const UNWORKED = `
  SELECT i.id FROM issues i JOIN projects p ON p.id = i.project_id AND p.visibility = 'open'
  LEFT JOIN issue_leases l ON l.issue_id = i.id AND l.expires_at > now()
  WHERE i.assigned_agent_id = cause.agent_id AND i.status IN ('Open', 'InProgress') AND NOT i.paused AND l.issue_id IS NULL`;

const ofServer = (since: string) => columns(since, '3', { server: 's.id' });
const REFUSED = `s.last_verification ->> 'credentials' = 'refused'`;
/** A server fails its verification while no one is signed in with its set `default`, which is a cause of its own. */
const SIGNED_IN = `NOT EXISTS (SELECT FROM credential_sets cs WHERE cs.id = s.id AND cs.status = 'sign_in_needed')`;
const SERVER_ERRORS = `
  SELECT ${ofServer('s.updated_at')} FROM installed_servers s
  WHERE s.status = 'error' AND (${REFUSED}) IS NOT TRUE AND ${SIGNED_IN}`;
const CREDENTIALS = `
  SELECT ${ofServer(`(s.last_verification ->> 'checkedAt')::timestamptz`)} FROM installed_servers s
  WHERE s.status <> 'disabled' AND ${REFUSED} AND ${SIGNED_IN}`;
const SIGN_INS = `
  SELECT ${columns('cs.updated_at', '3', { server: 's.id', set: 'cs.id' })}
  FROM credential_sets cs JOIN installed_servers s ON s.id = cs.server_id
  WHERE cs.status = 'sign_in_needed' AND s.status <> 'disabled'`;
const TOOLS_CHANGED = `
  SELECT ${ofServer('min(coalesce(t.changed_at, t.first_seen_at))')} FROM installed_servers s
  JOIN server_tools t ON t.server_id = s.id
  WHERE s.status <> 'disabled' AND t.present AND t.invalid_reason IS NULL
    AND t.approved_hash IS DISTINCT FROM t.hash GROUP BY s.id`;

/** Its owner sees a key, and every Admin. */
const KEYS = `
  SELECT ${columns(`k.expires_at - interval '7 days'`, '3', { agent: 'k.agent_id', key: 'k.id', owner: 'k.user_id' })}
  FROM api_keys k LEFT JOIN users u ON u.id = k.user_id LEFT JOIN agents a ON a.id = k.agent_id
  WHERE k.session_id IS NULL AND k.expires_at > now() AND k.expires_at < now() + interval '7 days'
    AND u.disabled_at IS NULL AND a.retired_at IS NULL`;

/** Those that the service itself has disabled: what a person decided needs none. */
const WEBHOOKS = `
  SELECT ${columns('w.updated_at', '3', { webhook: 'w.id' })} FROM webhooks w
  WHERE w.disabled AND w.disabled_reason IS NOT NULL`;

const schedules = (filtered: boolean) => `
  SELECT ${columns('s.failing_since', '1', { project: 's.project_id', schedule: 's.id' })} FROM schedules s
  WHERE s.failures > 0 ${filtered ? `AND s.project_id = ${PROJECT}` : ''}`;
const inProjects = (filtered: boolean): Source[] => [
  { kind: 'gate', select: gates(filtered) },
  { kind: 'review', select: inReview('<', filtered) },
  { kind: 'exhausted', select: inReview('>=', filtered) },
  { kind: 'stuck', select: stuck(filtered) },
  { kind: 'released', select: released(filtered) },
  { kind: 'budget_near', select: budgets(filtered) },
  { kind: 'schedule_failing', select: schedules(filtered) },
];
const elsewhere: Source[] = [
  { kind: 'agent_failing', select: FAILING_AGENTS },
  { kind: 'agent_silent', select: SILENT_AGENTS },
  { kind: 'key_expiring', select: KEYS },
  { kind: 'server_error', select: SERVER_ERRORS },
  { kind: 'credential', select: CREDENTIALS },
  { kind: 'sign_in', select: SIGN_INS },
  { kind: 'tools_changed', select: TOOLS_CHANGED },
  { kind: 'webhook_disabled', select: WEBHOOKS },
];

/** What is a user's own: issues that the user answers for, gates of projects with the user as a member, the user's keys. */
const isMine = (user: string) => `(
  every.issue_id IN (SELECT own.id FROM issues own WHERE own.assignee_user_id = ${user})
  OR (every.gate_id IS NOT NULL AND every.project_id IN (
    SELECT own.project_id FROM project_members own WHERE own.user_id = ${user}))
  OR every.owner_id = ${user})`;

/** The conditions of a filter on all causes, `every`. The project narrows what is read in the first place. */
const CONDITIONS = {
  agentId: (value: string) => `every.agent_id = ${value}::uuid`,
  mine: (value: string) => isMine(`${value}::uuid`),
  ids: (value: string) => `every.key = ANY(${value}::text[])`,
  group: (value: string) => `every.group_id = ${value}::uuid`,
} as const;
const conditionNames = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];
const givenIn = (filter: CauseFilter) => conditionNames.filter((name) => filter[name] !== undefined);

/** The values of the parameters that `causes` adds for a filter, in their order. */
export const filterValues = (filter: CauseFilter): unknown[] => givenIn(filter).map((name) => filter[name]);

/** Names the statement of a filter: filters with the same fields have one. */
export const filterShape = (filter: CauseFilter): string =>
  [filter.projectId !== undefined ? 'project' : '', ...givenIn(filter)].join(' ');

const conditionsOf = (filter: CauseFilter): string =>
  ['true', ...givenIn(filter).map((name, at) => CONDITIONS[name](`$${FIRST_FILTER + at}`))].join(' AND ');

/**
 * Where a cause begins to hold issues up: a lease of a silent agent holds its own issue, a failing agent what it has, and a
 * used-up budget what it stops.
 */
const ROOTS = `
  SELECT id, issue_id FROM cause WHERE issue_id IS NOT NULL
  UNION SELECT cause.id, held.issue_id FROM cause JOIN (${HELD}) AS held
    ON held.agent_id = cause.agent_id AND held.hidden_in IS NOT DISTINCT FROM cause.project_id
  WHERE cause.kind = 'agent_silent'
  UNION SELECT cause.id, waiting.id FROM cause CROSS JOIN LATERAL (${UNWORKED} LIMIT 1000) AS waiting
  WHERE cause.kind = 'agent_failing'
  UNION ${stoppedByBudgets('(SELECT cause.id, g.issue_id, g.agent_id, g.project_id, g.kind FROM cause JOIN gates g ON g.id = cause.gate_id)')}`;

/** The issue itself does not wait for these, but it waits for a gate. */
const WITHOUT_ITSELF = `cause.kind IN ('review', 'exhausted', 'stuck', 'released', 'budget_near') AND cause.issue_id IS NOT NULL`;

/** CTEs up to `cause`: all causes that a filter leaves, for every caller alike. */
export function causesOf(filter: CauseFilter): string {
  const filtered = filter.projectId !== undefined;
  const sources = [...inProjects(filtered), ...(filtered ? [] : elsewhere)];
  const all = sources.map(
    ({ kind, select }) =>
      `SELECT '${kind}' AS kind, ${tabs.indexOf(TAB_OF[kind])} AS tab, found.* FROM (${select}) AS found`,
  );
  return `
    ${WAITING_ISSUES},
    cause AS MATERIALIZED (
      SELECT (row_number() OVER ())::int AS id, every.* FROM (
        SELECT kind || ':' || coalesce(gate_id, key_id, issue_id, set_id, server_id, webhook_id, schedule_id, agent_id, project_id) AS key,
          known.* FROM (${all.join(' UNION ALL ')}) AS known) AS every
      WHERE ${conditionsOf(filter)})`;
}

/** CTEs up to `ranked`: all causes, with how many issues wait for each, and their place in the order of the list. */
export function causes(filter: CauseFilter): string {
  return `
    ${causesOf(filter)},
    ${issuesBehind(`(${ROOTS})`, isAmongWaiting)},
    counted AS (SELECT root, count(*) AS issues FROM behind GROUP BY root),
    weighed AS (
      SELECT cause.*, blocked.issues, CASE WHEN cause.kind IN ('gate', 'review') AND blocked.issues = 0
        AND NOT EXISTS (SELECT FROM gates g WHERE g.id = cause.gate_id AND g.kind = 'budget') THEN 1
        ELSE ${severityRank()} END AS severity
      FROM cause LEFT JOIN counted ON counted.root = cause.id
      CROSS JOIN LATERAL (SELECT (coalesce(counted.issues, 0)
        - CASE WHEN ${WITHOUT_ITSELF} THEN 1 ELSE 0 END)::int AS issues) AS blocked),
    ranked AS MATERIALIZED (
      SELECT *, row_number() OVER (ORDER BY ${byBlocked('')}) AS place FROM weighed)`;
}
