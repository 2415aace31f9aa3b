import { SecretMask } from './masking.js';

/**
 * Holds the values that must never reach a log, by their owner: the id of a credential set, alone or followed by a space and
 * what the value is. The last step before a log
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

  /** Masks the values of one credential set only, for a reader who must not learn whether a text holds another's. */
  maskOf(credentialSetId: string, text: string): string {
    const own = [...this.values].filter(
      ([owner]) => owner === credentialSetId || owner.startsWith(`${credentialSetId} `),
    );
    return new SecretMask(own.flatMap(([, values]) => values)).mask(text);
  }

  mask(text: string): string {
    this.known ??= new SecretMask([...this.values.values()].flat());
    return this.known.mask(text);
  }
}
