import { SecretMask } from './masking.js';

/**
 * The values that must never reach a log, by who owns them (an installed server's id): what the last step
 * before a log line is written asks. It knows only what it was told in this process.
 */
export class SecretRegister {
  private readonly values = new Map<string, readonly string[]>();
  private known: SecretMask | null = null;

  /** Replaces what was known of this owner. */
  set(ownerId: string, values: readonly string[]): void {
    const before = this.values.get(ownerId);
    // Told at every call of a server, and mostly the same: working out the forms anew costs more than the call.
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
