import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/http/body/canonical-json.js';
import { shapeOf, type ArgumentShape } from './argument-shape.js';

/** What a record keeps of arguments and result: never a value. */
export interface CallContents {
  argumentShape: ArgumentShape;
  /** SHA-256 in hex of the arguments in canonical JSON: equal arguments have equal hashes. */
  argumentsHash: string;
  /** The size of the result as JSON; null for a call without a result. */
  resultBytes: number | null;
}

/** @param result undefined for a call that gave none */
export function contentsOf(args: unknown, result: unknown): CallContents {
  const given = isObject(args) ? args : {};
  return {
    argumentShape: shapeOf(given),
    argumentsHash: hashOf(given),
    resultBytes: result === undefined ? null : Buffer.byteLength(JSON.stringify(result)),
  };
}

/** Returns SHA-256 in hex of arguments in canonical JSON. */
export function hashOf(args: Record<string, unknown>): string {
  return createHash('sha256').update(canonicalJson(args)).digest('hex');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
