import type { CallOutcome, ToolCall } from '../../api/types';
import type { IconName } from '../../parts/icon';
import type { Tone } from '../../parts/status';

/** How each end of a call reads: word, icon and colour together. */
export const outcomes: Record<CallOutcome, { word: string; icon: IconName; tone: Tone }> = {
  ok: { word: 'Done', icon: 'resolved', tone: 'resolved' },
  tool_error: { word: 'Tool failed', icon: 'error', tone: 'danger' },
  refused: { word: 'Refused', icon: 'shield', tone: 'waiting' },
  timeout: { word: 'Timed out', icon: 'clock', tone: 'danger' },
  cancelled: { word: 'Cancelled', icon: 'disabled', tone: 'disabled' },
  unavailable: { word: 'No server', icon: 'error', tone: 'danger' },
  unknown: { word: 'Result unknown', icon: 'none', tone: 'waiting' },
};

/** The stable words of records as sentences. A word that is not here is shown as it is. */
const reasons: Record<string, string> = {
  lease_required: 'The agent has to call with the key of a lease.',
  lease_lost: 'The lease of the work had ended.',
  budget: 'A budget was used up.',
  halted: 'All agents were halted.',
  agent_disabled: 'The agent was disabled.',
  not_granted: 'The agent has no access to the server.',
  tool_not_granted: 'The agent has access to other tools of the server only.',
  tool_changed: 'The tool had changed, and the change was not approved.',
  tool_invalid: 'The server defines the tool in a way that clients refuse.',
  unknown_server: 'No server has a tool of this name.',
  unknown_tool: 'The server has no such tool.',
  server_disabled: 'The server was disabled.',
  sign_in_needed: 'A person had to sign in to the server with the credentials of the agent.',
  sign_in_failed: 'The service could not sign in to the server.',
  server_error: 'The server was in error.',
  credentials_revoked: 'The credentials of the agent for the server were revoked.',
  credentials_error: 'The server crashed too often with the credentials of the agent.',
  rpc_error: 'The server answered with an error of the protocol.',
  start_failed: 'The server did not start.',
  died: 'The process of the server ended during the call.',
  stopped: 'The server was stopped.',
  outdated: 'The server was restarted with other values.',
  memory: 'The server used more memory than it may.',
  unreachable: 'The server could not be reached.',
  timed_out: 'The server did not answer in time.',
  cancelled: 'The caller cancelled it.',
  busy: 'The server had too many calls at once.',
  too_large: 'The answer was larger than the limit.',
  bad_answer: 'The server answered something that is not MCP.',
  credentials_refused: 'The credentials of the server were refused.',
  session_lost: 'The server forgot the session.',
  internal: 'The service failed. Its log says why.',
};

/** Why a call ended as it did; what happened where the outcome says everything. */
export function reasonOfCall({ reason, outcome }: Pick<ToolCall, 'reason' | 'outcome'>): string {
  if (reason !== null) return reasons[reason] ?? reason;
  return outcome === 'tool_error' ? 'The tool returned an error to the agent.' : outcomes[outcome].word;
}
