import { SecretMask } from './masking.js';

/**
 * Holds the values that must never reach a log, by their owner (the id of an installed server). The last step before a log
 * line is written masks with it. It knows only the values that were set in this process.
 */
export class SecretRegister {
  private readonly values = new Map<string, readonly string[]>();
  private known: SecretMask | null = null;

  /** Replaces the values of this owner. */
  set(ownerId: string, values: readonly string[]): void {
    const before = this.values.get(ownerId);
    // Every call of a server sets its values, mostly the same ones: computing their forms again would cost more than the call.
    if (before?.length === values.length && before.every((value, at) => value === values[at])) return;
    this.values.set(ownerId, [...values]);
    this.known = null;
  }

  delete(ownerId: string): void {
    this.values.delete(ownerId);
    this.known = null;
  }

  mask(text: string): string {
    this.known ??= new SecretMask([...this.values.values()].flat());
    return this.known.mask(text);
  }
}
