import type { AgentCallStart } from './agent-call-start.js';
import type { SessionRequest } from './session-request.js';
import type { TaskWish } from '../tasks/task-wish.js';

type Loose = Record<string, unknown>;

/**
 * The reason of a signal that the client aborted, with notifications/cancelled or, in the stateless era, by closing its
 * connection. MCP allows no response then.
 */
export class CancelledByClient extends Error {}

/** The session of a request. */
export interface CallingSession {
  id: string;
  /** Whether it holds leases, as far as is known; a session that may hold some is treated as one that does. */
  holdsLeases: boolean;
}

/** What belongs to one request of an agent beside its parameters. */
export interface Exchange {
  /** Aborted when the agent cancels the request, or its session ends. */
  signal: AbortSignal;
  /** Aborted when the connection of the request is gone, which does not cancel it in a session. */
  hungUp?: AbortSignal;
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
