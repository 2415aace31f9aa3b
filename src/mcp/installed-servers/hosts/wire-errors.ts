import { Problem, type FieldError } from '../../../platform/http/problem/problem.js';
import type { ProblemCode } from '../../../platform/http/problem/problem-codes.js';
import { McpError, McpUnavailable, type UnavailableKind } from '../../processes/connection/mcp-errors.js';
import { QuestionRefused } from '../../processes/connection/open-requests.js';

/** An error as it travels between processes of this service. */
export type WireError =
  | { type: 'mcp'; code: number; message: string; data?: unknown }
  | { type: 'unavailable'; kind: UnavailableKind; reason: string; retryAfterSeconds?: number }
  | { type: 'question'; message: string }
  | { type: 'start'; refusal: unknown }
  /** The host drains, and has not begun the request. */
  | { type: 'moved' }
  | {
      type: 'problem';
      code: ProblemCode;
      detail: string;
      errors?: FieldError[];
      members: Record<string, unknown>;
      headers: Record<string, string>;
    }
  | { type: 'internal' };

/** Returns the form of an error on the wire. One that has none is of the type `internal`. */
export function toWire(error: unknown): WireError {
  if (error instanceof McpError)
    return { type: 'mcp', code: error.code, message: error.message, data: error.data };
  if (error instanceof McpUnavailable) {
    const { kind, reason, retryAfterSeconds } = error;
    return { type: 'unavailable', kind, reason, retryAfterSeconds };
  }
  if (error instanceof QuestionRefused) return { type: 'question', message: error.message };
  if (!(error instanceof Problem)) return { type: 'internal' };
  const { code, detail, errors, members, headers } = error;
  return { type: 'problem', code, detail, errors, members, headers };
}

export function fromWire(error: WireError): Error {
  if (error.type === 'mcp') return new McpError(error.code, error.message, error.data);
  if (error.type === 'unavailable')
    return new McpUnavailable(error.kind, error.reason, error.retryAfterSeconds);
  if (error.type === 'question') return new QuestionRefused(error.message);
  if (error.type === 'problem') {
    const { errors, members, headers } = error;
    return new Problem(error.code, error.detail, { errors, members, headers });
  }
  return new Error('A tools host failed. Its log has the error.');
}
