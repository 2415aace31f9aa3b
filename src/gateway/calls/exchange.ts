import { createHash } from 'node:crypto';
import type { CalledServer } from '../../mcp/access/effective-access-and-refusals.js';
import type { ToolArguments } from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import type { CallStart } from '../../mcp/tools-hosts/call-starts.service.js';
import type { KeyedLease } from '../../platform/authentication/lease-keys.service.js';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { type ExactNumber, jsonText, withNumbers } from '../../platform/json/exact-json.js';
import type { CalledFor } from './call-rights-and-only-lease.repository.js';
import type { TaskWish } from './request-meta-and-task-wish.js';

/** What must hold when a call is sent: that its lease lives, that its approval is still good, or both. */
export interface AgentCallStart extends CallStart {
  lease?: KeyedLease;
  /** The id of the gate. */
  approvedBy?: string;
}

/** A request of a session, as every process that serves the session knows it. */
export interface SessionRequest {
  sessionId: string;
  /** A number that JavaScript cannot hold may be an exact one, or the mark of one. */
  requestId: string | number | ExactNumber;
}

/** Returns the name under which the database knows the request. A client cannot form it for a session that it does not know. */
export function cancelKeyOf({ sessionId, requestId }: SessionRequest): string {
  const id = jsonText(withNumbers(requestId));
  return createHash('sha256').update(`${sessionId}\n${id}`).digest('base64url');
}

/** The lease of a call has ended, or its agent must stop all work. */
export class LeaseOver extends Error {}

type Loose = Record<string, unknown>;

/**
 * The reason of a signal that the client aborted, with notifications/cancelled or, in the stateless era, by closing its
 * connection. MCP allows no response then.
 */
export class CancelledByClient extends Error {}

/** The session of a request. */
export interface CallingSession {
  /** Under which it holds leases (`sessionName`). */
  name: string;
  /** Whether it holds leases, as far as is known; a session that may hold some is treated as one that does. */
  holdsLeases: boolean;
}

/** What belongs to one request of an agent beside its parameters. */
export interface Exchange {
  /** Aborted when the agent cancels the request, or its session ends. */
  signal: AbortSignal;
  /**
   * Aborted when the connection of the request is gone, which does not cancel it in a session. Few calls ask for its
   * signal, and making one costs a hundredth of a call.
   */
  hungUp?: AbortController;
  /** The session of the request; absent in the stateless era. */
  session?: CallingSession;
  /** Absent outside of a session. Another process may receive its cancellation. */
  request?: SessionRequest;
  /** Absent where the client accepts no task in place of a result. */
  task?: TaskWish;
  /**
   * How the client of a call answers questions of the server: `retry` where it gets them as a result and calls again
   * (2026-07-28), a function where it is asked while the call runs. Absent where it answers none.
   */
  questions?: 'retry' | ((params: Loose, over: AbortSignal) => Promise<Loose>);
  /** The call needs its lease no more, whose end then does not cancel it; absent without a lease key. */
  leaveLease?: () => void;
  /** What must hold when the request is sent to its server; absent where it may begin at once. */
  start?: AgentCallStart;
  /** Passes progress on to the agent; absent where the agent did not ask for it. */
  onProgress?: (progress: Record<string, unknown>) => void;
}

/** Handles one method of MCP. @throws {ProtocolError} */
export type Answer = (agent: AgentPrincipal, params: Loose, exchange: Exchange) => Promise<Loose>;

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
