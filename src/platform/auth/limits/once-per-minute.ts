const MINUTE_MS = 60_000;
/** Bounds the memory that a flood of different names costs. Further names count as seen. */
const MOST_NAMES = 10_000;

/** Recognises the first of many equal events per minute, so that a flood of them leaves few records. */
export class OncePerMinute {
  private seen = new Set<string>();
  private minute = 0;

  /** Returns true the first time that `name` comes in this minute of the clock. */
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
