const MINUTE_MS = 60_000;
/** What a flood of different names may cost in memory; what is beyond counts as seen. */
const MOST_NAMES = 10_000;

/** Tells the first of many like things in a minute, so that a flood of them leaves few records. */
export class OnceAMinute {
  private seen = new Set<string>();
  private minute = 0;

  /** @returns whether `name` has not been asked about in this minute of the clock */
  first(name: string, now: number = Date.now()): boolean {
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.minute) {
      this.minute = minute;
      this.seen = new Set();
    }
    if (this.seen.has(name) || this.seen.size >= MOST_NAMES) return false;
    this.seen.add(name);
    return true;
  }
}
