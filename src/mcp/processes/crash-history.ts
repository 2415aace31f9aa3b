/** When a server crashed lately, what pause that calls for, and whether it is enough. Times in milliseconds. */
export class CrashHistory {
  private crashes: number[] = [];

  constructor(
    private readonly backOffMs: { first: number; longest: number },
    private readonly limit: { crashes: number; withinMs: number },
  ) {}

  /** Returns true when this crash reaches the limit; counting begins anew then. The pause stays. */
  note(now: number): boolean {
    this.crashes = [...this.crashes.filter((at) => now - at < this.limit.withinMs), now];
    return this.crashes.length === this.limit.crashes;
  }

  /** How long a new start has to wait: doubling with each crash, none once they are long ago. */
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
