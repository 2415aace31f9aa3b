/**
 * A scope names one process of a server: `shared`, or the id of the agent that has the process for itself. Where the
 * process has other credentials than those of the set `default`, `_` and the id of its credential set follow. The data
 * folder, the lock that keeps a process on one host and the choice of the host go by the scope.
 */
const SET = /_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Returns the scope of the same caller with this credential set. The set `default` has the id of its server. */
export function withCredentialSet(scope: string, serverId: string, credentialSetId: string): string {
  return credentialSetId === serverId ? scope : `${scope}_${credentialSetId}`;
}

/** Returns the id of the credential set that a process of this scope has. */
export function credentialSetOf(serverId: string, scope: string): string {
  return SET.exec(scope)?.[1] ?? serverId;
}

/** Returns the scope without its credential set: `shared`, or the id of an agent. */
export function withoutCredentialSet(scope: string): string {
  return scope.replace(SET, '');
}

/** Returns the agent that has the process of this scope for itself; null for a shared one. */
export function ownerOf(scope: string): string | null {
  const owner = withoutCredentialSet(scope);
  return owner === 'shared' ? null : owner;
}
