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
