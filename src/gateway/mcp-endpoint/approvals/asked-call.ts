import type { CalledServer } from '../../../mcp/access/call-verdict.js';
import type { ToolArguments } from '../../../mcp/installed-servers/tools/tool-arguments.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import type { CalledFor } from '../calls/call-rights.repository.js';
import type { SessionRequest } from '../calls/session-request.js';
import type { TaskWish } from '../tasks/task-wish.js';

/** A call of a tool whose grant asks for an approval. */
export interface AskedCall {
  agent: AgentPrincipal;
  server: CalledServer;
  tool: string;
  args: ToolArguments;
  calledFor: CalledFor | null;
  /** Absent outside of a session. */
  request?: SessionRequest;
  /** Absent for a client that accepts no task, and with a lease key. */
  task?: TaskWish;
}
