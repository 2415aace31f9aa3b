import type { RequestOptions } from '../connection/mcp-connection.js';

/** A server that has just been started. */
export interface StartedServer {
  serverId: string;
  credentialSetId: string;
  revision: string;
}

/** The events that the supervisor reports to its owner. */
export interface SupervisorHooks {
  /** The server crashed too often with these credentials. The owner sets it, or the credential set, to `error`. */
  onCrashLimit(serverId: string, reason: string, credentialSetId: string): void;
  /**
   * The start of a connection has listed the server's tools, and the owner compares them with the approved ones. The
   * connection takes calls when this resolves; when it rejects, the start has failed (contract §7.5).
   */
  onStartListed(server: StartedServer, tools: unknown[]): Promise<void>;
  /**
   * A process of this scope is about to start. It starts when this resolves; the function that it returns is called when
   * the process has ended.
   */
  onStarting?(serverId: string, scope: string, signal: AbortSignal): Promise<() => void>;
  /** A connection takes calls: a process was started, or a remote server was reached. */
  onStarted?(serverId: string): void;
  /** The server reported a change of one of its lists. */
  onListChanged(serverId: string, what: 'tools' | 'prompts' | 'resources'): void;
  /** A subscribed resource has changed in the process of this scope. */
  onResourceUpdated?(serverId: string, scope: string, uri: string): void;
  /** A message for operators. It holds no secrets. */
  log?(serverId: string, message: string): void;
}

/** A right to call that was read before the call reached its connection. */
export interface EarlierDecision {
  /** `performance.now()` before the right was read. */
  decidedAt: number;
  /** Reads the right again, and throws where the call is no longer allowed. */
  confirm: () => Promise<void>;
}

export interface CallOptions extends RequestOptions {
  /** The request serves all agents, so it counts towards the calls of none (contract §7.5). */
  isForAll?: boolean;
  /**
   * Is confirmed where the tools of the connection were compared after the decision: a tool that the comparison
   * withholds must not be called with a right that is older.
   */
  decision?: EarlierDecision;
}
