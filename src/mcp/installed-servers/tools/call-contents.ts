import type { ArgumentShape } from './argument-shape.js';
import type { ToolArguments } from './tool-arguments.js';

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
