import type { RequestOptions } from './mcp-connection.js';

/** What the supervisor tells its owner. */
export interface SupervisorHooks {
  /** The server has crashed too often; the owner sets it to `error`. */
  onCrashLimit(serverId: string, reason: string): void;
  /** The server says so, or was started anew and may have other tools now. */
  onListChanged(serverId: string, what: 'tools' | 'prompts' | 'resources'): void;
  /** A resource that somebody subscribed to has changed, in the process of this scope. */
  onResourceUpdated?(serverId: string, scope: string, uri: string): void;
  /** What an operator may want to read; no secrets in it. */
  log?(serverId: string, message: string): void;
}

export interface CallOptions extends RequestOptions {
  /** Who asks, for the fairness of the queue: an agent's id. Default: the scope. */
  caller?: string;
}
