/** Whether all agents share one process of a server, or each has its own because the server keeps state. */
export type Sharing = 'shared' | 'agent';

/** Returns the scope that a caller uses. Every scope of a server has its own process and data folder. */
export function scopeOf(sharing: Sharing, callerId: string): string {
  return sharing === 'shared' ? 'shared' : callerId;
}
