import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { GateRow } from '../../work/gates/gate.repository.js';
import { problemResult } from '../calls/tool-result.js';
import { ApprovalPending, NotApproved } from './approval.errors.js';

type Loose = Record<string, unknown>;

/**
 * A client of 2025-11-25 that calls a tool as a task understands nothing but a task: a refusal becomes an error.
 * @throws {ProtocolError}
 */
export async function asTask(answered: Promise<Loose>): Promise<Loose> {
  const result = await answered;
  if ('task' in result) return result;
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, textOf(result), result.structuredContent);
}

/** Returns the error for a tool that is called as a task and needs no approval. */
export function noTask(name: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.MethodNotFound,
    `${name} needs no approval, so it cannot be called as a task: call it without one, and read the list of tools again.`,
  );
}

/** Refusals are results with one text. */
function textOf({ content }: Loose): string {
  const [first] = content as { text?: unknown }[];
  return String(first?.text);
}

/** The states of a task that an approval can be in. */
export type TaskStatus = 'working' | 'completed' | 'cancelled';

/** How often a client should look, in milliseconds: people take minutes. */
const POLL_MS = 5_000;

/** A task whose call runs ends soon. */
const RUNNING_POLL_MS = 1_000;

/** Returns the task of a gate in the form of 2026-07-28, which includes the result. */
export function detailedTaskOf(gate: GateRow): Loose {
  const result = taskResultOf(gate);
  return {
    ...commonOf(gate),
    ttlMs: null,
    pollIntervalMs: pollMsOf(gate),
    ...(result && { result }),
  };
}

/** Returns the task of a gate in the form of 2025-11-25, whose result is a request of its own. */
export function plainTaskOf(gate: GateRow): Loose {
  return { ...commonOf(gate), ttl: null, pollInterval: pollMsOf(gate) };
}

/** Returns the response to a call that became a task, in the form of the revision of its client. */
export function createdTaskOf(gate: GateRow, wish: 'later' | 'now'): Loose {
  if (wish === 'later') return { resultType: 'task', ...detailedTaskOf(gate) };
  const sentence = new ApprovalPending(gate).detail;
  return {
    task: plainTaskOf(gate),
    _meta: { 'io.modelcontextprotocol/model-immediate-response': sentence },
  };
}

/** A denied call has a result as well: one with `isError` that says so. */
export function taskStatusOf(gate: GateRow): TaskStatus {
  if (gate.state === 'withdrawn') return 'cancelled';
  return taskResultOf(gate) ? 'completed' : 'working';
}

/** Returns what the call returned, or would have returned without a task; null while the task works, or was cancelled. */
export function taskResultOf(gate: GateRow): Loose | null {
  const { kind, state, answer, outcome, result } = gate;
  if (state === 'open' || state === 'withdrawn') return null;
  const isAnswered = kind === 'question' && state === 'answered';
  const decided = answer && 'decision' in answer ? answer : null;
  if (isAnswered || decided?.decision === 'approve')
    return outcome === null ? null : (result as Loose | null);
  return problemResult(new NotApproved(gate, state, decided && 'note' in decided ? decided.note : null));
}

/** Returns whether the result of a call was given to its caller and not kept: such a call never was a task. */
export function isWithoutTask({ outcome, result }: GateRow): boolean {
  return outcome !== null && result === null;
}

function commonOf(gate: GateRow): Loose {
  const { id, createdAt, closedAt } = gate;
  return {
    taskId: id,
    status: taskStatusOf(gate),
    statusMessage: messageOf(gate),
    createdAt: createdAt.toISOString(),
    lastUpdatedAt: (closedAt ?? createdAt).toISOString(),
  };
}

function messageOf({ kind, state, outcome }: GateRow): string {
  if (state === 'open') return `Waits for the ${kind === 'question' ? 'answer' : 'approval'} of a person.`;
  if (state === 'withdrawn') return 'The request to a person was withdrawn; the call was not made.';
  if (state === 'expired') return 'No person decided in time.';
  return outcome === null ? 'A person has decided; the call runs.' : 'The call is over.';
}

function pollMsOf({ state }: GateRow): number {
  return state === 'open' ? POLL_MS : RUNNING_POLL_MS;
}
