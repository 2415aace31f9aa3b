/** Runs work for a key at once, and however often it is asked for in the pause that follows, once more at its end. */
export class Coalesced {
  /** The keys in whose pause the work was asked for again, or not. */
  private readonly asked = new Map<string, boolean>();

  constructor(private readonly pauseMs: number) {}

  run(key: string, work: () => void): void {
    if (this.asked.has(key)) {
      this.asked.set(key, true);
      return;
    }
    this.asked.set(key, false);
    work();
    setTimeout(() => this.goOn(key, work), this.pauseMs).unref();
  }

  private goOn(key: string, work: () => void): void {
    const isAsked = this.asked.get(key);
    this.asked.delete(key);
    if (isAsked) this.run(key, work);
  }
}
