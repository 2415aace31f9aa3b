/** Why an agent is not given a tool (spec §3.4); null where it is. */
export const refusalReasons = [
  'not_granted',
  'tool_not_granted',
  'server_disabled',
  'server_error',
  'tool_changed',
  'agent_disabled',
  'halted',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/**
 * An agent `g` and every installed server `s`, with the grant `a` that may join them. Whoever lists tools,
 * calls one, or explains why an agent has none asks this one question anew; nothing of the answer is kept.
 */
export const AGENT_AND_SERVERS = `
  agents g CROSS JOIN agent_halt h CROSS JOIN installed_servers s
  LEFT JOIN server_access a ON a.server_id = s.id AND a.agent_id = g.id`;

export const theAgent = (id: string): string => `g.id = ${id} AND g.retired_at IS NULL`;
export const THE_AGENT = theAgent('$1');

/** Why the agent can't use anything of the server, as SQL; null where it can. */
export const SERVER_REFUSAL = `
  CASE WHEN a.agent_id IS NULL THEN 'not_granted'
       WHEN s.status = 'disabled' THEN 'server_disabled'
       WHEN s.status = 'error' THEN 'server_error'
       WHEN g.disabled THEN 'agent_disabled'
       WHEN h.halted THEN 'halted' END`;

/** Why the agent can't use tool `t` of a server that it can use, as SQL; null where it can. */
export const TOOL_REFUSAL = `
  CASE WHEN a.tools IS NOT NULL AND NOT t.name = ANY(a.tools) THEN 'tool_not_granted'
       WHEN NOT t.present OR t.hash IS DISTINCT FROM t.approved_hash THEN 'tool_changed' END`;
