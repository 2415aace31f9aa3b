/**
 * Counts the recent crashes of a server and derives the back-off and the crash limit from them. Times in milliseconds.
 */
export class CrashHistory {
  private crashes: number[] = [];

  constructor(
    private readonly backOffMs: { first: number; longest: number },
    private readonly limit: { crashes: number; withinMs: number },
  ) {}

  /** Records a crash. Returns true when this one reaches the limit, and false for later ones in the same window. */
  note(now: number): boolean {
    this.crashes = [...this.crashes.filter((at) => now - at < this.limit.withinMs), now];
    return this.crashes.length === this.limit.crashes;
  }

  /**
   * Returns how long the next start has to wait. It doubles with each crash, and is 0 once the last one is out of the
   * window.
   */
  pauseMs(now: number): number {
    const last = this.crashes.at(-1);
    if (last === undefined || now - last >= this.limit.withinMs) return 0;
    const pause = Math.min(this.backOffMs.first * 2 ** (this.crashes.length - 1), this.backOffMs.longest);
    return Math.max(0, last + pause - now);
  }

  forget(): void {
    this.crashes = [];
  }
}
