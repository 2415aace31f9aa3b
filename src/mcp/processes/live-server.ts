import type { SupervisedConnection } from './supervised-connection.js';

/** A connection that is starting, live or being ended, for operators and metrics. */
export interface LiveServer {
  serverId: string;
  scope: string;
  /** What it was started with: credentials, version. */
  revision: string;
  pid: number | null;
  since: string;
  inFlight: number;
  era: 'modern' | 'legacy' | null;
}

export function liveServers(serverId: string, connections: readonly SupervisedConnection[]): LiveServer[] {
  return connections.map(({ scope, revision, since, inFlight, connection }) => ({
    serverId,
    scope,
    revision,
    pid: connection?.pid ?? null,
    since: since.toISOString(),
    inFlight,
    era: connection?.era ?? null,
  }));
}
