/** The ends that the dashboard offers for a new key, in days; null is a key without an end. */
export const lifetimes = {
  never: { words: 'Never', days: null },
  month: { words: 'In 30 days', days: 30 },
  quarter: { words: 'In 90 days', days: 90 },
  year: { words: 'In 1 year', days: 365 },
} as const;

export type Lifetime = keyof typeof lifetimes;

const DAY_MS = 86_400_000;

/** The instant at which a key of this lifetime ends; null when it does not. */
export function expiryOf(lifetime: Lifetime, now = Date.now()): string | null {
  const { days } = lifetimes[lifetime];
  return days === null ? null : new Date(now + days * DAY_MS).toISOString();
}

/** Whether a key has ended, or ends so soon that someone should replace it. */
export function expiryState(expiresAt: string | null, now = Date.now()): 'none' | 'ended' | 'soon' | 'later' {
  if (expiresAt === null) return 'none';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'ended';
  return left <= 7 * DAY_MS ? 'soon' : 'later';
}
