import { Logger } from '@nestjs/common';

/**
 * Caches a value that is expensive to compute. Once it is older than `forMs`, a reader gets the old value at once and
 * starts one computation of the next (stale while revalidate). Only the first reader waits. While computing fails, the
 * old value stays.
 */
export class CachedValue<T> {
  private readonly log = new Logger(CachedValue.name);
  private value: T | null = null;
  private at = 0;
  private renewal: Promise<void> | null = null;

  constructor(
    private readonly compute: () => Promise<T>,
    private readonly forMs: number,
  ) {}

  async get(): Promise<T | null> {
    if (Date.now() - this.at > this.forMs) this.renewal ??= this.renew().finally(() => (this.renewal = null));
    if (this.value === null) await this.renewal;
    return this.value;
  }

  private async renew(): Promise<void> {
    try {
      this.value = await this.compute();
      this.at = Date.now();
    } catch (error) {
      this.log.warn(
        `A value for /metrics could not be computed; the last one stays: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
