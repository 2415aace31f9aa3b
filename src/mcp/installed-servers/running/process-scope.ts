import { withCredentialSet } from '../../processes/server-scope.js';

/** Whether all agents share one process of a server, or each has its own because the server keeps state. */
export type Sharing = 'shared' | 'agent';

/** A server as one caller uses it. */
export interface UsedServer {
  serverId: string;
  sharing: Sharing;
  /** The credential set that the caller's grant names. */
  credentialSetId: string;
}

/** Returns the scope that a caller uses. Every scope of a server has its own process and data folder. */
export function scopeOf({ serverId, sharing, credentialSetId }: UsedServer, callerId: string): string {
  return withCredentialSet(sharing === 'shared' ? 'shared' : callerId, serverId, credentialSetId);
}
