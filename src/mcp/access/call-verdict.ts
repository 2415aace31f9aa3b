import type { Sharing } from '../installed-servers/running/scope.js';
import { SERVER_REFUSAL, TOOL_REFUSAL, type RefusalReason } from './tool-verdict.js';

/** The server of a call. */
export interface CallRow {
  serverId: string;
  serverName: string;
  slug: string;
  sharing: Sharing;
  /** Of its entry and values, when it was asked. */
  revision: string;
}

/** The server of a call, and what stands in the call's way. */
export interface FoundCall extends CallRow {
  toolKnown: boolean;
  serverRefusal: RefusalReason | null;
  toolRefusal: RefusalReason | null;
}

/** Whether an agent may call a tool now. `server` is there wherever the reference names one. */
export type CallVerdict =
  | { allowed: true; server: CallRow }
  | { allowed: false; server: CallRow | null; reason: RefusalReason | 'unknown_server' | 'unknown_tool' };

/** What a server is told by: the columns of `s`. */
export const SERVER = `
  s.id AS "serverId", s.name AS "serverName", s.slug, s.entry #>> '{manifest,sharing}' AS sharing`;

/** The columns of `FoundCall`, from `AGENT_AND_SERVERS` and the tool `t` of the call, if there is one. */
export const FOUND_CALL = `
  ${SERVER}, s.revision::text AS revision, t.name IS NOT NULL AS "toolKnown",
  ${SERVER_REFUSAL} AS "serverRefusal", ${TOOL_REFUSAL} AS "toolRefusal"`;

/** Of a call of a tool. */
export function verdictOn(found: FoundCall | null): CallVerdict {
  if (!found) return { allowed: false, server: null, reason: 'unknown_server' };
  const { serverRefusal, toolRefusal, toolKnown, ...server } = found;
  if (serverRefusal) return { allowed: false, server, reason: serverRefusal };
  if (!toolKnown) return { allowed: false, server, reason: 'unknown_tool' };
  return toolRefusal ? { allowed: false, server, reason: toolRefusal } : { allowed: true, server };
}

/** Of anything else that a server has: its prompts and resources. */
export function verdictOnServer(found: FoundCall | null): CallVerdict {
  if (!found) return { allowed: false, server: null, reason: 'unknown_server' };
  const { serverRefusal, toolRefusal: _tool, toolKnown: _known, ...server } = found;
  return serverRefusal ? { allowed: false, server, reason: serverRefusal } : { allowed: true, server };
}
