/** How agents share a server: one process for all, or one each because it keeps state (catalogue entry). */
export type Sharing = 'shared' | 'agent';

/** The process of a server that a caller talks to; scopes share neither process nor data folder. */
export function scopeOf(sharing: Sharing, callerId: string): string {
  return sharing === 'shared' ? 'shared' : callerId;
}
