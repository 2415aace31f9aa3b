import type { UsedServer } from '../processes/server-description-and-limits.js';
import { PROCESS_REVISION } from '../server-records/installed-server.repository.js';

/**
 * SQL for the sources of the access of an agent to a server: its grant, and the entries of its profiles unless the agent is
 * refused the server. A grant that stands beside a refusal wins, because the release before profiles removes no refusal.
 */
const sources = (agentId: string, serverId: string): string => `
  SELECT grants.tools, grants.ask, grants.approver_role, grants.credential_set_id, grants.granted_at, NULL AS profile
  FROM server_access grants WHERE grants.server_id = ${serverId} AND grants.agent_id = ${agentId}
  UNION ALL
  SELECT entry.tools, entry.ask, 'Editor', entry.credential_set_id, greatest(entry.granted_at, member.added_at), profile.name
  FROM access_profile_agents member
  JOIN access_profile_entries entry ON entry.profile_id = member.profile_id AND entry.server_id = ${serverId}
  JOIN access_profiles profile ON profile.id = member.profile_id
  WHERE member.agent_id = ${agentId} AND NOT EXISTS (
    SELECT FROM access_refusals refused WHERE refused.agent_id = ${agentId} AND refused.server_id = ${serverId})`;

/**
 * SQL for the access of one agent to one server, from all its sources; no row where there is none (contract §3.6).
 *
 * - `tools`: all that a source gives, null for all approved tools.
 * - `ask_writes`, `ask_tools`: a call asks for an approval where any source says so.
 * - `credential_set_id`: of the grant, else of the first profile by name; null for the set `default`.
 * - `granted_at`: since when it is like this.
 * - `profiles`: the names of the profiles among the sources; `is_granted`: whether there is a grant.
 *
 * @param agentId @param serverId SQL expressions
 */
export const effectiveAccess = (agentId: string, serverId: string): string => `
  WITH source AS MATERIALIZED (${sources(agentId, serverId)})
  SELECT ${agentId} AS agent_id,
    CASE WHEN bool_and(tools IS NOT NULL) THEN ARRAY(SELECT DISTINCT unnest(one.tools) FROM source one) END AS tools,
    coalesce(bool_or(ask = '"writes"'), false) AS ask_writes,
    CASE WHEN bool_or(jsonb_typeof(ask) = 'array') THEN
      (SELECT jsonb_agg(DISTINCT element.name) FROM source one
       CROSS JOIN jsonb_array_elements(CASE jsonb_typeof(one.ask) WHEN 'array' THEN one.ask ELSE '[]' END) element (name)) END AS ask_tools,
    CASE WHEN bool_or(approver_role = 'Admin') THEN 'Admin' ELSE 'Editor' END AS approver_role,
    (array_agg(credential_set_id ORDER BY profile COLLATE "C" NULLS FIRST))[1] AS credential_set_id,
    max(granted_at) AS granted_at,
    bool_or(profile IS NULL) AS is_granted,
    array_remove(array_agg(profile ORDER BY profile COLLATE "C"), NULL) AS profiles
  FROM source HAVING count(*) > 0`;

/** Joins the effective access `a` of agent `g` to server `s`. */
export const ACCESS = `LATERAL (${effectiveAccess('g.id', 's.id')}) a`;

/** The reasons why an agent may not use a tool (contract §3.4). */
export const refusalReasons = [
  'not_granted',
  'tool_not_granted',
  'server_disabled',
  'sign_in_needed',
  'server_error',
  'credentials_revoked',
  'credentials_error',
  'tool_changed',
  'tool_invalid',
  'agent_disabled',
  'halted',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Where the right to use a server comes from; a grant before profiles. */
export const accessSources = ['grant', 'profile'] as const;
export type AccessSource = (typeof accessSources)[number];

/** Joins the credential set `cs` that the access `a` names; the set `default` has the id of its server. */
export const CREDENTIAL_SET = `JOIN credential_sets cs ON cs.id = coalesce(a.credential_set_id, s.id)`;

/**
 * Joins an agent `g` with every installed server `s`, the access `a` that may connect them, its credential set `cs` and the halt `h`. Listing
 * tools, calling one and explaining a refusal all evaluate this join again; no result is cached.
 */
export const AGENT_AND_SERVERS = `
  agents g CROSS JOIN agent_halt h CROSS JOIN installed_servers s
  LEFT JOIN ${ACCESS} ON true
  ${CREDENTIAL_SET}`;

export const theAgent = (id: string): string => `g.id = ${id} AND g.retired_at IS NULL`;
export const THE_AGENT = theAgent('$1');

/**
 * SQL for the reason why the agent may not use the server; null if it may. A server is often in error because no one has
 * signed in with its set `default`, so that comes first.
 */
export const SERVER_REFUSAL = `
  CASE WHEN a.agent_id IS NULL THEN 'not_granted'
       WHEN s.status = 'disabled' THEN 'server_disabled'
       WHEN cs.status = 'sign_in_needed' THEN 'sign_in_needed'
       WHEN s.status = 'error' THEN 'server_error'
       WHEN cs.status = 'revoked' THEN 'credentials_revoked'
       WHEN cs.status = 'error' THEN 'credentials_error'
       WHEN g.disabled THEN 'agent_disabled'
       WHEN h.halted THEN 'halted' END`;

/** SQL for whether the access covers certain tools only, and so no prompts and resources. */
export const NARROWED = `(a.tools IS NOT NULL)`;

/** SQL for the reason why the agent may not use tool `t` of a server that it may use; null if it may. */
export const TOOL_REFUSAL = `
  CASE WHEN a.tools IS NOT NULL AND NOT t.name = ANY(a.tools) THEN 'tool_not_granted'
       WHEN t.present AND t.invalid_reason IS NOT NULL THEN 'tool_invalid'
       WHEN NOT t.present OR t.hash IS DISTINCT FROM t.approved_hash THEN 'tool_changed' END`;

/**
 * SQL for whether a person has to approve each call of tool `t` with access `a` (contract §3.4). Only a tool that declares
 * itself read-only counts as one: a missing or malformed declaration asks.
 */
export const ASKS_APPROVAL = `(
  coalesce(a.ask_writes AND t.definition #> '{annotations,readOnlyHint}' IS DISTINCT FROM 'true', false)
  OR coalesce(a.ask_tools ? t.name, false))`;

/** The server that a call addresses. */
export interface CalledServer extends UsedServer {
  serverName: string;
  slug: string;
  credentialSetName: string;
  /** The revision of a process with these credentials at the time of the query. */
  revision: string;
}

/** The server that a call addresses, and the reasons to refuse the call. */
export interface FoundCall extends CalledServer {
  toolKnown: boolean;
  /** Whether the grant is narrowed to tools. */
  narrowed: boolean;
  /** Whether a person has to approve the call. */
  asks: boolean;
  serverRefusal: RefusalReason | null;
  toolRefusal: RefusalReason | null;
}

/** Whether an agent may call a tool now. `server` is set whenever the reference names a server. */
export type CallVerdict =
  | { allowed: true; server: CalledServer; asks: boolean }
  | {
      allowed: false;
      server: CalledServer | null;
      reason: RefusalReason | 'unknown_server' | 'unknown_tool';
    };

/** The columns of `s` and `cs` that identify a server to its callers. */
export const SERVER_COLUMNS = `
  s.id AS "serverId", s.name AS "serverName", s.slug, s.entry #>> '{manifest,sharing}' AS sharing,
  cs.id AS "credentialSetId", cs.name AS "credentialSetName"`;

/**
 * Returns the query for the `FoundCall` of one call. It has no row when there is no such agent or server. The arguments
 * are SQL expressions.
 * @param server condition on the table `installed_servers`, whose alias is `s`
 * @param tool the server's own name of the tool
 */
export const foundCall = (agentId: string, server: string, tool: string): string => `
  SELECT ${SERVER_COLUMNS}, (${PROCESS_REVISION})::text AS revision, t.name IS NOT NULL AS "toolKnown",
    ${NARROWED} AS narrowed, ${ASKS_APPROVAL} AS asks,
    ${SERVER_REFUSAL} AS "serverRefusal", ${TOOL_REFUSAL} AS "toolRefusal"
  FROM ${AGENT_AND_SERVERS} LEFT JOIN server_tools t ON t.server_id = s.id AND t.name = ${tool}
  WHERE ${theAgent(agentId)} AND ${server}`;

/** Returns the verdict on a tool call. */
export function verdictOn(found: FoundCall | null): CallVerdict {
  if (!found) return { allowed: false, server: null, reason: 'unknown_server' };
  const { serverRefusal, toolRefusal, toolKnown, narrowed: _narrowed, asks, ...server } = found;
  if (serverRefusal) return { allowed: false, server, reason: serverRefusal };
  if (!toolKnown) return { allowed: false, server, reason: 'unknown_tool' };
  return toolRefusal ? { allowed: false, server, reason: toolRefusal } : { allowed: true, server, asks };
}

/**
 * Returns the verdict on a request for a server's prompts or resources. A grant that is narrowed to tools has none of
 * them: a resource may hold what the tools left out would return (contract §3.4).
 */
export function verdictOnServer(found: FoundCall | null): CallVerdict {
  if (!found) return { allowed: false, server: null, reason: 'unknown_server' };
  const { serverRefusal, toolRefusal: _tool, toolKnown: _known, narrowed, asks: _asks, ...server } = found;
  if (!serverRefusal && narrowed) return { allowed: false, server, reason: 'tool_not_granted' };
  return serverRefusal
    ? { allowed: false, server, reason: serverRefusal }
    : { allowed: true, server, asks: false };
}
