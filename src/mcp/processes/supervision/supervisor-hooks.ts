import type { RequestOptions } from '../connection/mcp-connection.js';

/** The events that the supervisor reports to its owner. */
export interface SupervisorHooks {
  /** The server crashed too often. The owner sets it to `error`. */
  onCrashLimit(serverId: string, reason: string): void;
  /** The server reported a change, or was started again and may have other tools now. */
  onListChanged(serverId: string, what: 'tools' | 'prompts' | 'resources'): void;
  /** A subscribed resource has changed in the process of this scope. */
  onResourceUpdated?(serverId: string, scope: string, uri: string): void;
  /** A message for operators. It holds no secrets. */
  log?(serverId: string, message: string): void;
}

export interface CallOptions extends RequestOptions {
  /** The id of the calling agent, by which the queue is fair. Default: the scope. */
  caller?: string;
}
