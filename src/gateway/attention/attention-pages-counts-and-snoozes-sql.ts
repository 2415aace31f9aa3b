import { rankOf } from '../../platform/authentication/principals-and-roles.js';
import { BUDGET_LIMITS, BUDGET_USED, budgetsOf } from '../../work/budgets/budget.repository.js';
import { rankOfUser } from '../../work/projects/visibility.js';
import { type AttentionKind, byBlocked } from './attention-kinds.js';
import { type CauseFilter, causes, causesOf } from './causes-sql.js';

/**
 * A cause may be gone for as long as this and its snooze holds when it comes back (contract §8.7): the snoozes of causes that
 * are gone are removed so often.
 */
export const LONGEST_BREAK_SECONDS = 600;

/** The kinds whose `since` is that of the last look or change, so that a later one is no new cause. */
const KINDS_LOOKED_AT_AGAIN: readonly AttentionKind[] = [
  'budget_near',
  'server_error',
  'tools_changed',
  'credential',
  'sign_in',
  'webhook_disabled',
];

/** What the callers have snoozed, by an index. */
const SNOOZES = `
  snooze AS MATERIALIZED (
    SELECT s.* FROM attention_snoozes s WHERE s.user_id IN (SELECT id FROM asker) AND s.until > now())`;

/** Condition: the cause `r` is the one that the snooze `s` is about, and not a new one under the same id. */
const IS_SAME = `s.cause = r.key AND (r.since <= s.since OR r.kind IN (${KINDS_LOOKED_AT_AGAIN.map((kind) => `'${kind}'`).join(', ')}))`;

/** Condition: the snooze `s` holds for the cause `r`, for which no more issues wait than then and which is no more serious. */
const HOLDS = `${IS_SAME} AND r.issues <= s.issues AND r.severity >= s.severity`;

/** Removes the snoozes whose time is over, and those whose cause is gone. */
export const sweepSql = `
  WITH ${causesOf({})}
  DELETE FROM attention_snoozes WHERE (user_id, cause) IN (
    SELECT s.user_id, s.cause FROM attention_snoozes s LEFT JOIN cause r ON ${IS_SAME}
    WHERE r.key IS NULL OR s.until <= now())`;

const ADMIN = rankOf('Admin');

/**
 * The callers of one statement; `most` is one more than the page has, and `after_…` the item that it follows. `tab` is null
 * for all tabs, and `snoozed` for items whether they are snoozed or not.
 */
const ASKERS = `
  asker AS MATERIALIZED (
    SELECT * FROM unnest($4::uuid[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[], $10::timestamptz[], $11::text[],
      $12::int[], $13::boolean[])
      WITH ORDINALITY AS given(id, rank, cap, most, after_issues, after_severity, after_since, after_key, tab, snoozed, n))`;

const PLACES = `
  place AS MATERIALIZED (SELECT p.id, p.visibility FROM projects p WHERE p.id IN (SELECT project_id FROM ranked))`;

/** The projects with causes that each caller sees, with the caller's rank there. */
const SEEN = `
  seen AS MATERIALIZED (
    SELECT * FROM (
      SELECT asker.n, place.id, ${rankOfUser('place', 'asker')} AS rank FROM asker CROSS JOIN place
      LEFT JOIN project_members membership ON membership.project_id = place.id AND membership.user_id = asker.id) AS known
    WHERE known.rank IS NOT NULL)`;

/** How many causes of a kind are seen by the same right. */
const TALLY = `
  tally AS MATERIALIZED (
    SELECT kind, project_id, least, owner_id, count(*)::int AS n FROM ranked WHERE kind <> 'agent_silent'
    GROUP BY kind, project_id, least, owner_id)`;

/** The causes that each caller has snoozed, one row per caller: many who have snoozed much cost no more than they have snoozed. */
const HELD_CAUSES = `
  held AS MATERIALIZED (
    SELECT s.user_id, array_agg(r.id) AS ids, array_agg(s.until) AS untils FROM snooze s JOIN ranked r ON ${HOLDS}
    WHERE r.kind <> 'agent_silent' GROUP BY s.user_id)`;

/** The questions that have equal ones. */
const EQUALS = `
  equal AS MATERIALIZED (
    SELECT r.* FROM ranked r WHERE r.group_id IN (
      SELECT group_id FROM ranked WHERE group_id IS NOT NULL GROUP BY group_id HAVING count(*) > 1))`;

/**
 * Callers who see the same by the same rank, and ask for the same page, have one page: most people of an installation.
 * `n` is one of them. Who sees keys as their owner only is alone, and so is who has snoozed something.
 */
const AUDIENCES = `
  audience AS MATERIALIZED (
    SELECT min(n) AS n, array_agg(n::int) AS askers, admin, owner, sleeper, tab, snoozed,
      most, after_issues, after_severity, after_since, after_key
    FROM (
      SELECT asker.*, asker.rank >= ${ADMIN} AS admin, sees.projects,
        CASE WHEN asker.rank < ${ADMIN} AND asker.id IN (SELECT owner_id FROM tally) THEN asker.id END AS owner,
        CASE WHEN asker.id IN (SELECT user_id FROM snooze) THEN asker.id END AS sleeper
      FROM asker LEFT JOIN (
        SELECT n, array_agg(id || ':' || rank ORDER BY id) AS projects FROM seen GROUP BY n) AS sees ON sees.n = asker.n) AS known
    GROUP BY admin, owner, sleeper, projects, tab, snoozed, most, after_issues, after_severity, after_since, after_key)`;

/** Condition: the audience sees the cause or tally `r`, whose project it sees as `mine`. */
const VISIBLE = `CASE WHEN r.project_id IS NOT NULL THEN mine.rank >= r.least
  ELSE r.owner_id = audience.owner OR (audience.admin AND r.least <= ${ADMIN}) END`;

const IS_AFTER = `(audience.after_issues IS NULL
  OR (${byBlocked('r.')})
     > (audience.after_issues, audience.after_severity, audience.after_since, audience.after_key))`;

/** Condition: the item `r` belongs to the list that the audience asks for. @param until SQL: when its snooze ends, or null */
const isAsked = (until: string) => `(audience.tab IS NULL OR r.tab = audience.tab)
  AND (audience.snoozed IS NULL OR audience.snoozed = (${until} IS NOT NULL)) AND ${IS_AFTER}`;

/** A silent agent has one row per project that hides it, which become one item; `ids` are the rows behind an item. */
const SILENT = `
  SELECT r.*, s.until FROM (
    SELECT array_agg(r.id ORDER BY r.id) AS ids, r.key, r.kind, r.tab, min(r.since) AS since, min(r.severity) AS severity,
      sum(r.issues)::int AS issues, NULL::int AS rank
    FROM ranked r LEFT JOIN mine ON mine.id = r.project_id
    WHERE r.kind = 'agent_silent' AND (r.project_id IS NULL OR mine.id IS NOT NULL) GROUP BY r.key, r.kind, r.tab) AS r
  LEFT JOIN snooze s ON s.user_id = audience.sleeper AND ${HOLDS}`;

/** The other items that the audience sees and has snoozed. */
const SLEEPING = `
  SELECT r.id, r.kind, s.until FROM held CROSS JOIN LATERAL unnest(held.ids, held.untils) AS s(id, until)
  JOIN ranked r ON r.id = s.id LEFT JOIN mine ON mine.id = r.project_id
  WHERE held.user_id = audience.sleeper AND ${VISIBLE}`;

/** How many questions that the audience sees and has not snoozed are equal, and how many agents ask them. */
const GROUPS = `
  SELECT r.group_id, count(*)::int AS items, count(DISTINCT r.agent_id)::int AS agents
  FROM equal r LEFT JOIN mine ON mine.id = r.project_id
  WHERE ${VISIBLE} AND r.id NOT IN (SELECT id FROM sleeping) GROUP BY r.group_id`;

/** What a cause adds to its page: the text of its gate twice, with its options also in labels and bodies, and the rest roughly. */
const BYTES = `1000 + 2 * coalesce(octet_length(g.detail), 0) + 3 * coalesce(octet_length(g.options::text), 0)`;

/** The first items of a page, as many as its bytes admit (contract §1.5), and at least one. */
const FITTING = `
  SELECT f.* FROM (
    SELECT top.*, r.group_id, sum(${BYTES}) OVER (ORDER BY ${byBlocked('top.')} ROWS UNBOUNDED PRECEDING) AS bytes,
      row_number() OVER (ORDER BY ${byBlocked('top.')}) AS nth
    FROM top LEFT JOIN ranked r ON r.id = top.ids[1] LEFT JOIN gates g ON g.id = r.gate_id) AS f
  WHERE f.bytes <= $14 OR f.nth = 1`;

const COUNTS = `
  SELECT json_object_agg(kind, n) FROM (
    SELECT kind, sum(n)::int AS n FROM (
      SELECT r.kind, r.n FROM tally r LEFT JOIN mine ON mine.id = r.project_id WHERE ${VISIBLE}
      UNION ALL SELECT kind, -1 FROM sleeping
      UNION ALL SELECT kind, 1 FROM silent WHERE until IS NULL) AS every
    GROUP BY kind) AS by_kind`;

const PAGES = `
  page AS MATERIALIZED (
    SELECT audience.askers, found.* FROM audience CROSS JOIN LATERAL (
      WITH mine AS MATERIALIZED (SELECT seen.id, seen.rank FROM seen WHERE seen.n = audience.n),
      silent AS MATERIALIZED (${SILENT}),
      sleeping AS MATERIALIZED (${SLEEPING}),
      grouped AS MATERIALIZED (${GROUPS}),
      top AS MATERIALIZED (
        SELECT * FROM (
          (SELECT ARRAY[r.id] AS ids, r.key, r.since, r.severity, r.issues, mine.rank, sleeping.until
           FROM ranked r LEFT JOIN mine ON mine.id = r.project_id LEFT JOIN sleeping ON sleeping.id = r.id
           WHERE r.kind <> 'agent_silent' AND ${VISIBLE} AND ${isAsked('sleeping.until')} ORDER BY r.place LIMIT audience.most)
          UNION ALL SELECT r.ids, r.key, r.since, r.severity, r.issues, r.rank, r.until FROM silent r WHERE ${isAsked('r.until')}) AS top
        ORDER BY ${byBlocked('top.')} LIMIT audience.most),
      fitting AS MATERIALIZED (${FITTING})
      SELECT
        (${COUNTS}) AS counts,
        (SELECT count(*) FROM sleeping)::int + (SELECT count(until) FROM silent)::int AS snoozed,
        (SELECT json_agg(json_build_array(top.ids, top.issues, top.rank, top.until, grouped.items, grouped.agents)
                         ORDER BY ${byBlocked('top.')})
         FROM fitting AS top LEFT JOIN grouped ON grouped.group_id = top.group_id) AS items,
        (SELECT count(*) FROM top) > (SELECT count(*) FROM fitting) AS cut,
        ARRAY(SELECT unnest(fitting.ids) FROM fitting) AS ids) AS found),
  chosen AS MATERIALIZED (
    SELECT r.* FROM ranked r WHERE r.id IN (SELECT unnest(page.ids) FROM page))`;

/**
 * The agents of the issues behind a cause that have nothing else that they could do. An agent whose budget is used up can do
 * none of its issues.
 */
const IDLE = `
  idle AS MATERIALIZED (
    SELECT held.id, array_agg(DISTINCT held.agent_id) AS agents FROM (
      SELECT c.id, NULL::uuid AS issue_id, g.agent_id, true AS stops FROM chosen c
      JOIN gates g ON g.id = c.gate_id AND g.kind = 'budget' WHERE g.issue_id IS NULL AND g.agent_id IS NOT NULL
      UNION SELECT c.id, c.issue_id, b.assigned_agent_id AS agent_id, false AS stops
      FROM chosen c JOIN behind ON behind.root = c.id JOIN issues b ON b.id = behind.issue_id
      WHERE b.assigned_agent_id IS NOT NULL AND (c.kind IN ('gate', 'agent_silent') OR b.id <> c.issue_id)) AS held
    WHERE held.stops OR NOT EXISTS (
      SELECT 1 FROM issues other WHERE other.assigned_agent_id = held.agent_id AND NOT other.paused
        AND other.status IN ('Open', 'InProgress') AND other.id IS DISTINCT FROM held.issue_id
        AND NOT (held.issue_id IS NULL AND EXISTS (
          SELECT FROM behind WHERE behind.root = held.id AND behind.issue_id = other.id)))
    GROUP BY held.id)`;

const PROJECT = `CASE WHEN p.id IS NOT NULL AND r.kind <> 'agent_silent'
  THEN json_build_object('id', p.id, 'key', p.key, 'name', p.name) END`;
const ISSUE = `CASE WHEN i.id IS NOT NULL THEN json_build_object('id', i.id, 'key', p.key || '-' || i.number,
  'title', i.title, 'status', i.status, 'paused', i.paused, 'attempts', i.attempts,
  'releases', i.releases, 'releaseReason', i.release_reason) END`;
const AGENT = `CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'name', a.name, 'disabled', a.disabled,
  'retired', a.retired_at IS NOT NULL, 'neverSeen', a.last_heartbeat_at IS NULL,
  'failure', f.reason, 'failingWorker', f.worker) END`;
const SERVER = `CASE WHEN s.id IS NOT NULL THEN json_build_object('id', s.id, 'name', s.name, 'reason', s.status_reason,
  'waiting', (SELECT count(*) FROM server_tools t WHERE t.server_id = s.id AND t.present
    AND t.invalid_reason IS NULL AND t.approved_hash IS DISTINCT FROM t.hash))
  END`;
const CREDENTIAL_SET = `CASE WHEN cs.id IS NOT NULL THEN json_build_object('name', cs.name,
  'reason', coalesce(cs.status_reason, '')) END`;
const GATE = `CASE WHEN g.id IS NOT NULL THEN json_build_object('id', g.id, 'kind', g.kind, 'title', g.title, 'detail', g.detail,
  'options', g.options, 'recommended', g.recommended, 'answerRole', g.answer_role,
  'form', g.request -> 'schema' IS NOT NULL) END`;
const WEBHOOK = `CASE WHEN w.id IS NOT NULL THEN json_build_object('id', w.id, 'url', w.url,
  'reason', w.disabled_reason) END`;
const SCHEDULE = `CASE WHEN sch.id IS NOT NULL THEN json_build_object('id', sch.id, 'name', sch.name, 'enabled', sch.enabled,
  'failures', sch.failures, 'reason', sch.last_failure) END`;
const API_KEY = `CASE WHEN k.id IS NOT NULL THEN json_build_object('id', k.id, 'name', k.name, 'userId', k.user_id,
  'expiresAt', to_char(k.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END`;
const BUDGET = `(
  SELECT json_build_object('scope', b.scope, 'period', b.period, 'limits', ${BUDGET_LIMITS}, 'used', ${BUDGET_USED})
  FROM ${budgetsOf('b')} WHERE b.scope_id = r.budget_id)`;

const DETAILS = `
  SELECT r.id, json_build_object('key', r.key, 'kind', r.kind, 'severity', r.severity,
    'since', to_char(r.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'idle', coalesce(idle.agents, '{}'),
    'project', ${PROJECT}, 'issue', ${ISSUE}, 'agent', ${AGENT}, 'server', ${SERVER}, 'credentialSet', ${CREDENTIAL_SET},
    'gate', ${GATE}, 'group', r.group_id,
    'apiKey', ${API_KEY}, 'webhook', ${WEBHOOK}, 'schedule', ${SCHEDULE}, 'budget', ${BUDGET}) AS cause
  FROM chosen r LEFT JOIN idle ON idle.id = r.id LEFT JOIN projects p ON p.id = r.project_id
  LEFT JOIN issues i ON i.id = r.issue_id
  LEFT JOIN agents a ON a.id = r.agent_id LEFT JOIN agent_failures f ON f.agent_id = a.id LEFT JOIN installed_servers s ON s.id = r.server_id
  LEFT JOIN credential_sets cs ON cs.id = r.set_id
  LEFT JOIN gates g ON g.id = r.gate_id LEFT JOIN api_keys k ON k.id = r.key_id
  LEFT JOIN webhooks w ON w.id = r.webhook_id LEFT JOIN schedules sch ON sch.id = r.schedule_id`;

/**
 * One statement for the pages of several callers. The causes and what waits for them are found once for all of them, and
 * each caller gets what the caller sees. Rows with `askers` are the pages of those callers, by their places; rows with
 * `cause` are the causes that the items name.
 * @param filter holds for all of them; its values are parameters
 */
export const pagesSql = (filter: CauseFilter): string => `
  WITH RECURSIVE ${ASKERS}, ${SNOOZES}, ${causes(filter)}, ${PLACES}, ${SEEN}, ${TALLY}, ${HELD_CAUSES}, ${EQUALS}, ${AUDIENCES},
  ${PAGES}, ${IDLE}
  SELECT page.askers, page.counts, page.snoozed, coalesce(page.items, '[]') AS items, page.cut, NULL::int AS id, NULL::json AS cause
  FROM page
  UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, details.id, details.cause FROM (${DETAILS}) AS details`;
