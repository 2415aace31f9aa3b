import { ACCESS } from './effective-access.js';

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
