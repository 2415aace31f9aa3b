import { createHash } from 'node:crypto';
import { canonicalJson, isJsonObject, isNumber } from '../../platform/json/exact-json.js';
import { storableText } from '../server-records/server-text.js';

/** The names and JSON types of a call's arguments, never a value (contract §8). */
export type ArgumentShape = Record<string, string>;

/** Further names are counted, not listed. */
const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 100;

export function shapeOf(given: Readonly<Record<string, unknown>>): ArgumentShape {
  const names = Object.keys(given);
  const listed = names
    .slice(0, MAX_NAMES)
    .map((name) => [storableText(name.slice(0, MAX_NAME_LENGTH)), typeOf(given[name])]);
  return {
    ...Object.fromEntries(listed),
    ...(names.length > MAX_NAMES && { '…': `${names.length - MAX_NAMES} more` }),
  };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (isNumber(value)) return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

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

/** What a record keeps of arguments and result: never a value. */
export interface CallContents {
  argumentShape: ArgumentShape;
  /** SHA-256 in hex of the arguments in canonical JSON: equal arguments have equal hashes. */
  argumentsHash: string;
  /** The size of the result as JSON; null for a call without a result. */
  resultBytes: number | null;
}

/** @param result undefined for a call that gave none */
export function contentsOf(args: ToolArguments, result: unknown): CallContents {
  return {
    argumentShape: args.shape,
    argumentsHash: args.hash,
    resultBytes: result === undefined ? null : Buffer.byteLength(JSON.stringify(result)),
  };
}
