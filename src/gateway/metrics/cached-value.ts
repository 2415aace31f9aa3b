import { Logger } from '@nestjs/common';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';

/**
 * Caches a value that is expensive to compute. Once it is older than `forMs`, a reader gets the old value at once and
 * starts one computation of the next (stale while revalidate). Only the first reader waits. While computing fails, the
 * old value stays.
 */
export class CachedValue<T> {
  private readonly failure = new RepeatedFailure(
    new Logger(CachedValue.name),
    'A value for /metrics could not be computed; the last one stays',
  );
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
      this.failure.succeeded();
    } catch (error) {
      this.failure.failed(error);
    }
  }
}
