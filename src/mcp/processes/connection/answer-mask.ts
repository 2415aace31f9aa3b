import { SecretMask } from '../../../platform/encryption/masking.js';

/** Masks a server's own secrets in its responses: in strings at any depth, and in member names. */
export class AnswerMask {
  private readonly mask: SecretMask | null;

  constructor(secrets: readonly string[]) {
    this.mask = secrets.length === 0 ? null : new SecretMask(secrets);
  }

  text(text: string): string {
    return this.mask?.mask(text) ?? text;
  }

  /** Returns a copy with the secrets masked, or the value itself for a server without secrets. */
  value<T>(value: T): T {
    return this.mask === null ? value : (this.copy(value) as T);
  }

  private copy(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.copy(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [this.text(name), this.copy(item)]),
    );
  }
}
