import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Gate } from '../../work/gates/gate.entity.js';
import { GateRepository, type GateRow } from '../../work/gates/gate.repository.js';
import { GateClosed } from '../../work/gates/gate-closing.service.js';
import { GatesService } from '../../work/gates/gates.service.js';
import type { Answer, Exchange } from '../calls/exchange.js';
import { TASKS_EXTENSION } from '../calls/request-meta-and-task-wish.js';
import { problemResult } from '../calls/tool-results-and-refusals.js';
import { ApprovalPending, NotApproved } from './approval-requests-and-errors.service.js';
import { DecisionWatchWorker } from './decision-watch.worker.js';

type Loose = Record<string, unknown>;

/** How long a request for a result is kept open, in milliseconds: proxies and clients close it after a few minutes. */
const LONGEST_WAIT_MS = 240_000;

/**
 * The methods by which a client polls a call that waits for an approval, as a task (contract §5.7). The id of a task is
 * that of its gate, so any process answers for it, also after a restart.
 */
@Injectable()
export class TasksService {
  /** The methods of 2025-11-25. */
  readonly ofSession: Record<string, Answer> = {
    'tasks/get': async (agent, { taskId }) => plainTaskOf(await this.find(agent, taskId)),
    'tasks/result': (agent, { taskId }, exchange) => this.result(agent, taskId, exchange),
    'tasks/cancel': async (agent, { taskId }) => plainTaskOf(await this.cancel(agent, taskId)),
  };

  /** The methods of the extension of 2026-07-28. */
  readonly ofExtension: Record<string, Answer> = {
    'tasks/get': async (agent, { taskId }, exchange) => {
      requireExtension(exchange);
      return detailedTaskOf(await this.find(agent, taskId));
    },
    'tasks/update': async (agent, { taskId }, exchange) => {
      requireExtension(exchange);
      await this.find(agent, taskId);
      return {};
    },
    'tasks/cancel': (agent, { taskId }, exchange) => {
      requireExtension(exchange);
      return this.acknowledge(agent, taskId);
    },
  };

  constructor(
    @InjectRepository(Gate) private readonly gates: GateRepository,
    private readonly service: GatesService,
    private readonly waits: DecisionWatchWorker,
  ) {}

  private async result(agent: AgentPrincipal, taskId: unknown, { signal }: Exchange): Promise<Loose> {
    const task = await this.find(agent, taskId);
    if (taskStatusOf(task) === 'working') await this.waits.waitForEnd(task.id, LONGEST_WAIT_MS, signal);
    const now = await this.find(agent, taskId);
    const result = taskResultOf(now);
    if (!result)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidRequest,
        now.state === 'withdrawn'
          ? 'The task was cancelled; it has no result.'
          : 'The task has no result yet: poll it with tasks/get.',
      );
    const related = { 'io.modelcontextprotocol/related-task': { taskId: now.id } };
    return { ...result, _meta: { ...(result._meta as Loose | undefined), ...related } };
  }

  /** @throws {ProtocolError} for a task that is over, and for one whose call runs */
  private async cancel(agent: AgentPrincipal, taskId: unknown): Promise<GateRow> {
    const task = await this.find(agent, taskId);
    if (task.state === 'open' && (await this.withdrawn(agent, task))) return this.find(agent, taskId);
    const status = taskStatusOf(await this.find(agent, taskId));
    throw invalid(
      status === 'working'
        ? 'The call was approved and runs; it cannot be cancelled any more.'
        : `The task is ${status} and cannot be cancelled.`,
    );
  }

  /** A call that was decided on goes on. */
  private async acknowledge(agent: AgentPrincipal, taskId: unknown): Promise<Loose> {
    const task = await this.find(agent, taskId);
    if (task.state === 'open') await this.withdrawn(agent, task);
    return {};
  }

  /** @returns false where the gate was closed first */
  private async withdrawn(agent: AgentPrincipal, { id }: GateRow): Promise<boolean> {
    try {
      await this.service.withdraw(agent, id);
      return true;
    } catch (error) {
      if (error instanceof GateClosed) return false;
      throw error;
    }
  }

  /** A lease key ends with the wait of its call, so it has no tasks. @throws {ProtocolError} */
  private async find(agent: AgentPrincipal, taskId: unknown): Promise<GateRow> {
    const gate = typeof taskId === 'string' && !agent.lease ? await this.gates.findSeen(agent, taskId) : null;
    if (!gate || !hasCall(gate) || gate.agentId !== agent.id || isWithoutTask(gate))
      throw invalid('There is no such task.');
    return gate;
  }
}

/** A gate belongs to a call where it is an approval, or a question that the server of the call asks. */
function hasCall({ kind, request }: GateRow): boolean {
  return kind === 'approval' || (kind === 'question' && 'toolName' in request);
}

/** @throws {ProtocolError} for a client that has not declared the extension */
function requireExtension({ task }: Exchange): void {
  if (task === 'later') return;
  throw new ProtocolError(
    ProtocolErrorCode.MissingRequiredClientCapability,
    `The request has to declare the extension ${TASKS_EXTENSION} in its client capabilities.`,
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  );
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

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
function detailedTaskOf(gate: GateRow): Loose {
  const result = taskResultOf(gate);
  return {
    ...commonOf(gate),
    ttlMs: null,
    pollIntervalMs: pollMsOf(gate),
    ...(result && { result }),
  };
}

/** Returns the task of a gate in the form of 2025-11-25, whose result is a request of its own. */
function plainTaskOf(gate: GateRow): Loose {
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
function taskStatusOf(gate: GateRow): TaskStatus {
  if (gate.state === 'withdrawn') return 'cancelled';
  return taskResultOf(gate) ? 'completed' : 'working';
}

/** Returns what the call returned, or would have returned without a task; null while the task works, or was cancelled. */
function taskResultOf(gate: GateRow): Loose | null {
  const { kind, state, answer, outcome, result } = gate;
  if (state === 'open' || state === 'withdrawn') return null;
  const isAnswered = kind === 'question' && state === 'answered';
  const decided = answer && 'decision' in answer ? answer : null;
  if (isAnswered || decided?.decision === 'approve')
    return outcome === null ? null : (result as Loose | null);
  return problemResult(new NotApproved(gate, state, decided && 'note' in decided ? decided.note : null));
}

/** Returns whether the result of a call was given to its caller and not kept: such a call never was a task. */
function isWithoutTask({ outcome, result }: GateRow): boolean {
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
