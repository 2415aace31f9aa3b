import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallVerdict } from '../../../mcp/access/call-verdict.js';
import { toolFailure, type ToolResult } from './tool-result.js';

type Refusal = Extract<CallVerdict, { allowed: false }>;

/**
 * The answer to a tool call that may not be made. What the agent was never given looks like what does not exist
 * (-32602, spec §7); what it was given and can't use now is a result that its model can read.
 * @throws {ProtocolError}
 */
export function answerRefused(refusal: Refusal, name: string): ToolResult {
  const sentence = presentlyUnusable(refusal);
  if (sentence) return toolFailure(sentence);
  throw notYours(name, refusal.reason === 'tool_changed' ? CHANGED : RELIST);
}

/** The same for prompts and resources, which have no results with `isError`. */
export function refusalFault(refusal: Refusal, name: string): ProtocolError {
  const sentence = presentlyUnusable(refusal);
  return sentence ? new ProtocolError(ProtocolErrorCode.InternalError, sentence) : notYours(name, RELIST);
}

/** The one answer to a name that means nothing, or something that is not the agent's. */
export function notYours(name: unknown, hint = RELIST): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown, or not granted to you: ${JSON.stringify(name)}. ${hint}`,
  );
}

/** What to tell of a server that the agent has, but can't use now; null where it does not have it. */
function presentlyUnusable({ reason, server }: Refusal): string | null {
  const name = server?.serverName ?? 'The server';
  switch (reason) {
    case 'server_disabled':
      return `${name} was disabled by an admin. Go on without it, or ask for it in a comment.`;
    case 'server_error':
      return `${name} does not work at present; an admin has to see to it. Go on without it, or say so in a comment.`;
    case 'halted':
      return 'All agents are halted by a person: stop working, and wait until your heartbeat gives you work again.';
    case 'agent_disabled':
      return 'You are disabled by a person: stop working.';
    default:
      return null;
  }
}

const RELIST = 'Your list may have changed: read it anew.';
const CHANGED = 'It has changed and waits for the approval of an admin.';
