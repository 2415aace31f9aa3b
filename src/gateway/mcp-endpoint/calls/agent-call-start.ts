import type { CallStart } from '../../../mcp/installed-servers/running/call-starts.service.js';
import type { KeyedLease } from '../../../platform/auth/lease-keys/lease-key-format.js';

/** What must hold when a call is sent: that its lease lives, that its approval is still good, or both. */
export interface AgentCallStart extends CallStart {
  lease?: KeyedLease;
  /** The id of the gate. */
  approvedBy?: string;
}
