/** About 28 hours, with the pauses of `pauseAfter`. */
export const MOST_TRIES = 13;

/** Seconds until the next try, as graphile-worker backs off: 3 s, 7 s, 20 s, 55 s, 2.5 min … 6 h. */
export function pauseAfter(tries: number): number {
  return Math.exp(Math.min(10, tries));
}
