import { createHash } from 'node:crypto';
import { storableText } from '../../platform/http/text-and-instant-rules.js';
import type { ProblemCode } from '../../platform/http/problem.js';
import { canonicalJson, isJsonObject, isNumber } from '../../platform/json/exact-json.js';
import { McpError, McpUnavailable, type UnavailableKind } from '../processes/connection/mcp-errors.js';

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

/**
 * How a tool call ended (contract §8.2). `tool_error`: the tool or its server responded with an error; `refused`: the
 * call was not allowed; `unavailable`: the server gave no response; `unknown`: the service died while the call ran.
 */
export const callOutcomes = [
  'ok',
  'tool_error',
  'refused',
  'timeout',
  'cancelled',
  'unavailable',
  'unknown',
] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/**
 * Why a call ended as it did, where its outcome alone does not say enough (contract §8.2): stable words. A call that could
 * not wait for a person has the code of that problem (contract §10).
 */
export const callReasons = [
  // Its server gave no response, each as `UnavailableKind` says.
  'start_failed',
  'died',
  'stopped',
  'outdated',
  'timed_out',
  'cancelled',
  'busy',
  'own_calls',
  'too_large',
  'memory',
  'disk',
  'bad_answer',
  'unreachable',
  'credentials_refused',
  'sign_in_failed',
  'session_lost',
  // Its server answered with a JSON-RPC error, or this service failed.
  'rpc_error',
  'internal',
  // The agent may not use the tool (contract §3.4), or there is no such tool.
  'not_granted',
  'tool_not_granted',
  'server_disabled',
  'sign_in_needed',
  'server_error',
  'credentials_revoked',
  'credentials_error',
  'tool_changed',
  'tool_invalid',
  'agent_disabled',
  'halted',
  'unknown_server',
  'unknown_tool',
  // Neither a lease nor a budget allows the call (contract §7.8, §7.9).
  'lease_required',
  'lease_lost',
  'budget',
  // A person approved the call, and its issue is gone since (contract §5.7).
  'deleted',
  'reassigned',
  'resolved',
  'closed',
] as const;
export type CallReason = (typeof callReasons)[number] | ProblemCode;

/** The end of a call. */
export interface CallEnd {
  outcome: CallOutcome;
  reason: CallReason | null;
}

/** The end of a call, and the result that its caller gets. */
export interface EndedCall extends CallEnd {
  result: Record<string, unknown>;
}

const OUTCOME_OF: Partial<Record<UnavailableKind, CallOutcome>> = {
  timed_out: 'timeout',
  cancelled: 'cancelled',
};

/** The result as the previous release reads it. */
export function resultOf(outcome: CallOutcome): 'ok' | 'tool_error' | 'refused' | 'failed' {
  return outcome === 'ok' || outcome === 'tool_error' || outcome === 'refused' ? outcome : 'failed';
}

/** Returns how a call ended that gave this result. */
export function endWith(result: Record<string, unknown>): CallEnd {
  return { outcome: result.isError === true ? 'tool_error' : 'ok', reason: null };
}

/** Returns how a call ended that failed with this error. */
export function endWithError(error: unknown): CallEnd {
  if (error instanceof McpError) return { outcome: 'tool_error', reason: 'rpc_error' };
  if (error instanceof McpUnavailable)
    return { outcome: OUTCOME_OF[error.kind] ?? 'unavailable', reason: error.kind };
  return { outcome: 'unavailable', reason: 'internal' };
}

/**
 * Waits for a call. A server that is busy, dead or slow, or that responds with an error, gives a result with `isError`
 * (contract §7).
 */
export async function endOf(call: Promise<Record<string, unknown>>): Promise<EndedCall> {
  try {
    const result = await call;
    return { result, ...endWith(result) };
  } catch (error) {
    if (error instanceof McpUnavailable) return { result: errorResult(error.reason), ...endWithError(error) };
    if (error instanceof McpError) return { result: errorResult(error.message), ...endWithError(error) };
    throw error;
  }
}

/** Returns a tool error in the form that a model reads. */
export function errorResult(text: string): Record<string, unknown> {
  return { content: [{ type: 'text', text }], isError: true };
}
