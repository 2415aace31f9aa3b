/** About 28 hours, with the pauses of `pauseAfter`. */
export const MOST_TRIES = 13;

/** How many attempts a delivery shows, the newest; `MOST_TRIES` counts from its last reset, attempts go on (contract §8.4). */
export const MOST_ATTEMPTS_KEPT = 50;

/** Seconds until the next try, as graphile-worker backs off: 3 s, 7 s, 20 s, 55 s, 2.5 min … 6 h. */
export function pauseAfter(tries: number): number {
  return Math.exp(Math.min(10, tries));
}
