import { MASK, SecretMask } from '../../../platform/encryption/masking.js';
import { isNumber, jsonText } from '../../../platform/json/exact-json.js';

/** Masks a server's own secrets in its responses: in strings and numbers at any depth, and in member names. */
export class AnswerMask {
  private mask: SecretMask | null;
  /** The latest secrets that were added, the newest last. */
  private added: string[] = [];

  constructor(private readonly secrets: readonly string[]) {
    this.mask = secrets.length === 0 ? null : new SecretMask(secrets);
  }

  /** Masks one more secret from now on, and forgets the oldest of many: access tokens change every few minutes. */
  add(secret: string): void {
    if (this.added.includes(secret)) return;
    this.added = [...this.added, secret].slice(-MOST_ADDED);
    this.mask = new SecretMask([...this.secrets, ...this.added]);
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
    if (isNumber(value)) return this.hides(jsonText(value)) ? MASK : value;
    if (Array.isArray(value)) return value.map((item) => this.copy(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [this.text(name), this.copy(item)]),
    );
  }

  private hides(digits: string): boolean {
    return this.text(digits) !== digits;
  }
}

const MOST_ADDED = 16;
