import { PROCESS_REVISION } from '../installed-servers/installed-servers.repository.js';
import type { UsedServer } from '../installed-servers/running/process-scope.js';
import { ASKS_APPROVAL } from './asks-approval.js';
import {
  AGENT_AND_SERVERS,
  NARROWED,
  SERVER_REFUSAL,
  theAgent,
  TOOL_REFUSAL,
  type RefusalReason,
} from './tool-verdict.js';

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
