import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { withAddresses } from '../../mcp/access/advertised-name.js';
import type { CalledServer, CallVerdict } from '../../mcp/access/effective-access-and-refusals.js';
import { McpError, McpUnavailable } from '../../mcp/processes/connection/mcp-errors.js';
import { scopeOf } from '../../mcp/processes/server-description-and-limits.js';
import type { CallOptions } from '../../mcp/processes/supervision/supervisor-settings.js';
import { InstalledServerClient } from '../../mcp/running/installed-server.client.js';
import {
  type CallEnd,
  endWith,
  endWithError,
  ToolArguments,
} from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { inSpan } from '../../platform/tracing/spans.js';
import { BudgetChecksService } from '../../work/budgets/budget-checks-stops-and-answers.service.js';
import { ApprovalOutdated } from '../approvals/approval-requests-and-errors.service.js';
import type { Admitted, Refused } from '../approvals/waiting-and-parked-calls.service.js';
import { CallRecordsService } from '../calls/call-records.service.js';
import { type CallDecision, CallRightsService } from '../calls/call-rights-and-decisions.service.js';
import type { CalledFor } from '../calls/call-rights-and-only-lease.repository.js';
import { type AskedCall, type Exchange, LeaseOver } from '../calls/exchange.js';
import { needsInput } from '../calls/question-form-and-gate.js';
import { forwardedMeta, withoutReservedMeta } from '../calls/request-meta-and-task-wish.js';
import { answerRefused, problemResult, toolFailure } from '../calls/tool-results-and-refusals.js';
import { CallQuestionsService, InputRoundsService } from './call-questions-and-rounds.service.js';

type Loose = Record<string, unknown>;

/** A tools/call as its agent sent it. */
export interface RequestedCall {
  name: unknown;
  args: ToolArguments;
  /** The other parameters. The arguments are not among them, so that no second reading of them can be sent. */
  further: Loose;
}

/** @throws {ProtocolError} for arguments that are neither absent, null nor an object */
export function requestedCallOf({ name, arguments: given, ...further }: Loose): RequestedCall {
  const args = ToolArguments.in(given);
  if (args) return { name, args, further };
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'params.arguments must be an object with the arguments by name, null, or absent.',
  );
}

/** Returns the parameters of tools/call for the server, which knows the tool by this name. */
export function paramsOf({ args, further }: RequestedCall, toolName: string): Loose {
  return { ...further, name: toolName, arguments: args.value };
}

type AllowedCall = Pick<CallDecision, 'toolName' | 'calledFor' | 'hasBudget' | 'decidedAt'> & {
  server: CalledServer;
};

/** A request of a call whose server needs input. */
interface Round {
  requested: RequestedCall;
  allowed: AllowedCall;
  admitted: Admitted;
  round: number;
}

/** The most further requests of a call whose server needs input. */
const MOST_ROUNDS = 10;

const OVER_BUDGET =
  'A budget for this work is used up, and a person has to raise it: end your turn. The issue comes back once it is raised.';

/**
 * Makes the calls that were decided on and admitted: counts them against budgets, records and executes them. Arguments,
 * progress, cancellation and result pass through unchanged, except for the URIs of resources (contract §7.4).
 */
@Injectable()
export class AdmittedCallsService {
  constructor(
    private readonly rights: CallRightsService,
    private readonly records: CallRecordsService,
    private readonly servers: InstalledServerClient,
    private readonly budgets: BudgetChecksService,
    private readonly questions: CallQuestionsService,
    private readonly rounds: InputRoundsService,
  ) {}

  /** @throws {ProtocolError} for the server's own JSON-RPC error */
  async run(
    agent: AgentPrincipal,
    requested: RequestedCall,
    allowed: AllowedCall,
    { exchange, gateId, end }: Admitted,
    round = 1,
  ): Promise<Loose> {
    const { server, toolName, calledFor, hasBudget, decidedAt } = allowed;
    const { args } = requested;
    const budget = hasBudget ? await this.spend(agent, calledFor, end) : 'none';
    const call = {
      tool: toolName,
      args,
      calledFor,
      isCounted: budget === 'counted',
      gateId,
    };
    const record = this.records.begin(agent, server, call);
    const close = async (how: CallEnd, result?: Loose) => {
      record.end(how, result);
      await end(how, result);
    };
    if (budget === 'refused') {
      await close({ outcome: 'refused', reason: 'budget' });
      return toolFailure(OVER_BUDGET);
    }
    const decision = { decidedAt, confirm: () => this.confirm(agent, server, toolName) };
    const request = paramsOf(requested, toolName);
    const { task, request: ofSession } = exchange;
    const asked = { agent, server, tool: toolName, args, calledFor, task, request: ofSession };
    const onQuestion = (question: Loose, over: AbortSignal) =>
      this.questions.ask(asked, question, exchange.questions, over);
    let result: Loose;
    try {
      result = await this.execute(agent, server, request, { ...exchange, decision, onQuestion });
    } catch (error) {
      await close(endOfFailure(error));
      return answerFailed(error, String(requested.name));
    }
    record.end(endWith(result), result);
    if (needsInput(result) && round <= MOST_ROUNDS)
      return this.nextRound(asked, result, {
        requested,
        allowed,
        admitted: { exchange, gateId, end },
        round,
      });
    const addressed = withAddresses(server.slug, withoutReservedMeta(result));
    await end(endWith(result), addressed);
    return addressed;
  }

  /** A call whose server needs input goes on by a further request, which is not counted again. */
  private async nextRound(
    asked: AskedCall,
    result: Loose,
    { requested, allowed, admitted, round }: Round,
  ): Promise<Loose> {
    const { exchange, gateId, end } = admitted;
    const next = await this.rounds.next(asked, result, exchange, gateId !== null).catch(async (error) => {
      await end(endOfFailure(error));
      throw error;
    });
    if ('result' in next) {
      if (next.refused) this.recordRefusal(asked, next.refused);
      await end({ outcome: 'ok', reason: null }, next.result);
      return next.result;
    }
    const again = { ...requested, further: { ...requested.further, ...next.retry } };
    return this.run(
      asked.agent,
      again,
      { ...allowed, hasBudget: false },
      next.admitted ?? admitted,
      round + 1,
    );
  }

  private recordRefusal({ agent, server, tool, args, calledFor }: AskedCall, refused: Refused): void {
    const { reason, gateId } = refused;
    const record = this.records.begin(agent, server, { tool, args, calledFor, isCounted: false, gateId });
    record.end({ outcome: 'refused', reason });
  }

  private async spend(agent: AgentPrincipal, calledFor: CalledFor | null, end: Admitted['end']) {
    const { issueId: id, projectId } = calledFor ?? {};
    const issue = id && projectId ? { id, projectId } : null;
    try {
      return await this.budgets.spend({ agentId: agent.id, issue }, 'tool_call', { toolCalls: 1 });
    } catch (error) {
      await end(endWithError(error));
      throw error;
    }
  }

  /**
   * Reads the right of a call again whose server was started after the first decision: the start may have found that
   * the tool has changed (contract §3.3).
   * @throws {CallWithdrawn}
   */
  private async confirm(agent: AgentPrincipal, { slug }: CalledServer, toolName: string): Promise<void> {
    const { verdict } = await this.rights.read(agent.id, slug, toolName);
    if (!verdict.allowed) throw new CallWithdrawn(verdict);
  }

  private execute(
    agent: AgentPrincipal,
    server: CalledServer,
    params: Loose,
    exchange: Exchange & CallOptions,
  ): Promise<Loose> {
    const { serverId, slug, revision } = server;
    const target = { serverId, scope: scopeOf(server, agent.id), revision };
    const attributes = { 'mcp.method.name': 'tools/call', 'awp.server': slug };
    return inSpan(`${slug} tools/call`, { kind: 'client', attributes }, () =>
      this.servers.call(target, 'tools/call', forwardedMeta(params), { ...exchange, caller: agent.id }),
    );
  }
}

/** The code of errors that JSON-RPC leaves to the service. */
const REFUSED = -32_000;

/**
 * Passes a server's own JSON-RPC error on unchanged. A server that gave no response is reported by its sentence, and a
 * call that the agent's own calls hold up by its reason too (contract §7.5).
 */
export function asProtocolError(error: unknown): unknown {
  if (error instanceof McpError) return new ProtocolError(error.code, error.message, error.data);
  if (!(error instanceof McpUnavailable)) return error;
  const { kind, reason, retryAfterSeconds } = error;
  if (kind === 'own_calls') return new ProtocolError(REFUSED, reason, { reason: kind, retryAfterSeconds });
  return new ProtocolError(ProtocolErrorCode.InternalError, reason);
}

/** Returns how a call ended that failed, for its record. */
function endOfFailure(error: unknown): CallEnd {
  if (error instanceof CallWithdrawn) return { outcome: 'refused', reason: error.refusal.reason };
  if (error instanceof ApprovalOutdated) return { outcome: 'refused', reason: error.reason };
  return error instanceof LeaseOver ? { outcome: 'refused', reason: 'lease_lost' } : endWithError(error);
}

/** Returns the result of a call that failed. @throws {ProtocolError} {LeaseOver} */
function answerFailed(error: unknown, name: string): Loose {
  if (error instanceof CallWithdrawn) return answerRefused(error.refusal, name);
  if (error instanceof ApprovalOutdated) return problemResult(error);
  if (error instanceof McpUnavailable && error.kind !== 'own_calls') return toolFailure(error.reason);
  throw asProtocolError(error);
}

/** A call that was permitted when it came, and no longer when its server was ready. */
class CallWithdrawn extends Error {
  constructor(readonly refusal: Extract<CallVerdict, { allowed: false }>) {
    super(refusal.reason);
  }
}
