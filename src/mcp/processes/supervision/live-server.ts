import { credentialSetOf } from '../server-scope.js';
import type { SupervisedConnection } from './supervised-connection.js';

/** A connection that is starting, live or ending, as operators and metrics see it. */
export interface LiveServer {
  serverId: string;
  /** The credential set of the process; the id of the server for the set `default`. */
  credentialSetId: string;
  scope: string;
  /** Identifies the credentials, variables and package version that it was started with. */
  revision: string;
  pid: number | null;
  since: string;
  inFlight: number;
  era: 'modern' | 'legacy' | null;
}

export function liveServers(serverId: string, connections: readonly SupervisedConnection[]): LiveServer[] {
  return connections.map(({ scope, revision, since, inFlight, connection }) => ({
    serverId,
    credentialSetId: credentialSetOf(serverId, scope),
    scope,
    revision,
    pid: connection?.pid ?? null,
    since: since.toISOString(),
    inFlight,
    era: connection?.era ?? null,
  }));
}
