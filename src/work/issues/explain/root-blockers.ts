import type { Party, RootBlocker } from './issue-facts.js';

/** Returns who has to act on an issue at the end of a chain: a finished or paused piece of work waits for a person. */
export function actorOf({ status, paused, assignee, person }: RootBlocker): Party | null {
  if (status === 'WaitingOnDependency') return null;
  return status === 'PendingReview' || paused ? person : assignee;
}

export function firstOf(parties: (Party | null)[]): Party | null {
  return parties.find((one) => one !== null) ?? null;
}

/** Names a root blocker with who acts on it, or with what it needs where that is no one. */
export function rootInWords(root: RootBlocker): string {
  const { key, status, paused } = root;
  const actor = actorOf(root)?.name;
  if (status === 'WaitingOnDependency') return `${key} (waits for a decision)`;
  if (status === 'PendingReview') return `${key} (in review by ${actor ?? 'a person'})`;
  if (paused) return `${key} (paused${actor ? `, ${actor} may resume it` : ''})`;
  return `${key} (${actor ?? 'unassigned'})`;
}
