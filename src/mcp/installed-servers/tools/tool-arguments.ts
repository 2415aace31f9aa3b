import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/http/body/canonical-json.js';
import { shapeOf, type ArgumentShape } from './argument-shape.js';
import { isJsonObject } from '../../../platform/json/exact-number.js';

type Given = Readonly<Record<string, unknown>>;

/**
 * The arguments of one call. Everything that shows, hashes, seals, records or sends them takes them from here, so that a
 * person never approves anything else than what the server gets (contract §5.7).
 */
export class ToolArguments {
  private hashed: string | null = null;

  /** @param value what is sent to the server */
  private constructor(readonly value: Given) {}

  static of(given: Given): ToolArguments {
    return new ToolArguments(given);
  }

  /** Returns the arguments of any value that came as `arguments`: absent ones and null are empty. Null for one that is no object. */
  static in(given: unknown): ToolArguments | null {
    if (given === undefined || given === null) return new ToolArguments({});
    return isJsonObject(given) ? new ToolArguments(given) : null;
  }

  /** SHA-256 in hex of the arguments in canonical JSON: equal arguments have equal hashes. */
  get hash(): string {
    this.hashed ??= createHash('sha256').update(canonicalJson(this.value)).digest('hex');
    return this.hashed;
  }

  /** The names and types of the arguments, never a value. */
  get shape(): ArgumentShape {
    return shapeOf(this.value);
  }
}
