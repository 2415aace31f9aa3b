import { Logger } from '@nestjs/common';

/**
 * A value that costs something to find out: readers get the last one at once, and an old one is found out anew
 * behind their backs, one at a time. The first reader waits. While it can't be found out the last one stands.
 */
export class Remembered<T> {
  private readonly log = new Logger(Remembered.name);
  private value: T | null = null;
  private at = 0;
  private coming: Promise<void> | null = null;

  constructor(
    private readonly find: () => Promise<T>,
    private readonly forMs: number,
  ) {}

  async get(): Promise<T | null> {
    if (Date.now() - this.at > this.forMs) this.coming ??= this.renew().finally(() => (this.coming = null));
    if (this.value === null) await this.coming;
    return this.value;
  }

  private async renew(): Promise<void> {
    try {
      this.value = await this.find();
      this.at = Date.now();
    } catch (fault) {
      this.log.warn(`A measure was not found out: ${fault instanceof Error ? fault.message : String(fault)}`);
    }
  }
}
