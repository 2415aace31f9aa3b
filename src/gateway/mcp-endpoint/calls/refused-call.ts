import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallVerdict } from '../../../mcp/access/tool-access.js';
import { toolFailure, type ToolResult } from './tool-result.js';

type Refusal = Extract<CallVerdict, { allowed: false }>;

/**
 * The answer to a call that may not be made. What the agent was never given looks like what does not exist
 * (-32602, spec §7); what it was given and can't use now is a result that its model can read.
 * @throws {ProtocolError}
 */
export function answerRefused({ reason, server }: Refusal, name: string): ToolResult {
  const called = server?.serverName ?? 'The server';
  switch (reason) {
    case 'server_disabled':
      return toolFailure(`${called} was disabled by an admin. Go on without it, or ask for it in a comment.`);
    case 'server_error':
      return toolFailure(`${called} does not work at present; an admin has to see to it. Go on without it, or say so in a comment.`);
    case 'halted':
      return toolFailure('All agents are halted by a person: stop working and wait until your heartbeat gives you work again.');
    case 'agent_disabled':
      return toolFailure('You are disabled by a person: stop working.');
    case 'tool_changed':
      throw notYours(name, 'It has changed and waits for the approval of an admin.');
    default:
      throw notYours(name, 'Your list of tools may have changed: read it anew.');
  }
}

/** The one answer to a name that means nothing, or something that is not the agent's. */
export function notYours(name: string, hint: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown, or not granted to you: ${JSON.stringify(name)}. ${hint}`);
}
