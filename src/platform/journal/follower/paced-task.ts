/**
 * Runs `work` one call at a time: when it is woken, and at least every `interval()` milliseconds. A wake-up during a run
 * leads to one further run, since what that run has read may be older.
 */
export class PacedTask {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isWoken = false;
  private hasEnded = false;

  /**
   * @param work must not throw
   * @param interval asked after each run; Infinity for a task that runs only when it is woken
   */
  constructor(
    private readonly work: () => Promise<void>,
    private readonly interval: () => number,
  ) {}

  wake(): void {
    this.isWoken = true;
    if (!this.hasEnded) this.running ??= this.run();
  }

  /** Waits for the run that is under way. */
  async end(): Promise<void> {
    this.hasEnded = true;
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    while (this.isWoken && !this.hasEnded) {
      this.isWoken = false;
      await this.work();
    }
    this.running = null;
    this.wakeLater();
  }

  private wakeLater(): void {
    const interval = this.interval();
    if (this.hasEnded || interval === Infinity) return;
    this.timer = setTimeout(() => this.wake(), interval);
    this.timer.unref();
  }
}
