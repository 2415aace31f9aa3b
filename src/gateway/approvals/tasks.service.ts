import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { AgentPrincipal } from '../../platform/authentication/principal.js';
import { Gate } from '../../work/gates/gate.entity.js';
import { type GateRow, GateRepository } from '../../work/gates/gate.repository.js';
import { GateClosed, GatesService } from '../../work/gates/gates.service.js';
import { TASKS_EXTENSION } from '../calls/meta.js';
import type { Answer, Exchange } from '../calls/exchange.js';
import { DecisionWatchWorker } from './decision-watch.worker.js';
import { detailedTaskOf, isWithoutTask, plainTaskOf, taskResultOf, taskStatusOf } from './task.js';

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
