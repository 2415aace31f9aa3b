import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { withAddresses } from '../../mcp/access/advertised-name.js';
import type { CalledServer } from '../../mcp/access/effective-access-and-refusals.js';
import { scopeOf } from '../../mcp/processes/server-description-and-limits.js';
import { InstalledServerClient } from '../../mcp/running/installed-server.client.js';
import {
  type CallEnd,
  type EndedCall,
  endOf,
  errorResult,
  ToolArguments,
} from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound } from '../../platform/http/problem.js';
import { storableText } from '../../platform/http/text-and-instant-rules.js';
import { ExactNumber } from '../../platform/json/exact-json.js';
import { BudgetChecksService } from '../../work/budgets/budget-checks-stops-and-answers.service.js';
import { GateClosingService } from '../../work/gates/gate-closing.service.js';
import { Gate } from '../../work/gates/gate.entity.js';
import { GateRepository, type GateRow } from '../../work/gates/gate.repository.js';
import { SealedArgumentsService } from '../../work/gates/sealed-arguments.service.js';
import { CallRecordsService } from '../calls/call-records.service.js';
import { CallRightsService } from '../calls/call-rights-and-decisions.service.js';
import { withoutReservedMeta } from '../calls/request-meta-and-task-wish.js';
import { answeredRetryOf, declinedRetryOf, needsInput, type Retry } from '../calls/question-form-and-gate.js';
import { problemResult } from '../calls/tool-results-and-refusals.js';
import { ApprovalOutdated } from './approval-requests-and-errors.service.js';
import { type ApprovedCall, ApprovedCallRightsRepository } from './approved-call-start.service.js';
import { ToolApproval } from './tool-approval.entity.js';
import { ToolApprovalRepository } from './tool-approval.repository.js';

type Loose = Record<string, unknown>;

/** The largest result in bytes that is kept for the agent. */
const MOST_BYTES = 262_144;

/** Returns a result in a form that the database accepts: cut where it is too large, without NUL and lone surrogates. */
export function storedResult(result: Loose): Loose {
  const stored = storable(result) as Loose;
  return Buffer.byteLength(JSON.stringify(stored)) > MOST_BYTES ? cut(stored) : stored;
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [storableText(name), storable(item)]),
  );
}

/** Keeps the beginning of the texts: half a picture or half of structured content is of no use. */
function cut({ content, isError }: Loose): Loose {
  const texts = (Array.isArray(content) ? (content as Loose[]) : [])
    .map(({ text }) => text)
    .filter((text) => typeof text === 'string');
  // A character has at most 6 bytes in JSON.
  const text = storableText(texts.join('\n').slice(0, Math.floor(MOST_BYTES / 6) - 100));
  const note = `The result was larger than ${MOST_BYTES / 1024} KiB: this is the beginning of its text.`;
  return {
    content: [
      { type: 'text', text },
      { type: 'text', text: note },
    ],
    ...(isError === true && { isError }),
  };
}

/** The gate of a call that is executed. */
type ExecutedGate = Pick<GateRow, 'id' | 'kind' | 'projectId' | 'issueId'>;

/** Begins and ends the execution of approved calls, each once (contract §5.7). */
@Injectable()
export class ExecutionOnceService {
  private readonly log = new Logger(ExecutionOnceService.name);
  /** The calls that this process executes. */
  private readonly running = new Set<string>();

  constructor(
    @InjectRepository(ToolApproval) private readonly approvals: ToolApprovalRepository,
    private readonly args: SealedArgumentsService,
    private readonly closing: GateClosingService,
    private readonly transactions: TransactionsService,
  ) {}

  /** Claims a call for this process, before anything is sent. @returns false when it is not, or no longer, to execute */
  async begin(gateId: string, from: 'waiting' | 'approved'): Promise<boolean> {
    const isClaimed = await this.approvals.claim(gateId, from);
    if (isClaimed) this.running.add(gateId);
    return isClaimed;
  }

  /**
   * Stores how a call ended, and releases its issue. What cannot be stored becomes `unknown` after a while.
   * @param result kept for the agent; null where only its caller gets it
   * @param isDelivered whether a caller gets it
   */
  async end(
    gate: ExecutedGate,
    { outcome }: Pick<CallEnd, 'outcome'>,
    result: object | null,
    isDelivered = result === null,
  ): Promise<void> {
    this.running.delete(gate.id);
    const stored = result && storedResult({ ...result });
    try {
      await this.transactions.run(async () => {
        if (!(await this.closing.complete(gate, outcome, stored))) return;
        await this.approvals.finish(gate.id, isDelivered);
        await this.args.delete(gate.id);
      });
    } catch (error) {
      // The issue was deleted, and its gate with it.
      if (error instanceof NotFound) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.log.error(`The end of the approved call of gate ${gate.id} could not be stored: ${reason}`);
    }
  }

  /** Returns the gates of the calls that this process executes. */
  runningHere(): string[] {
    return [...this.running];
  }
}

type Given = Record<string, unknown>;

/** What a call is executed with, as it was sealed when its gate was opened. */
interface SealedCall {
  args: ToolArguments;
  /** The answers to the questions of its server, where it asked. */
  answers: Partial<Retry>;
}

/** The most further requests of a call whose server needs input. */
const MOST_ROUNDS = 10;

const UNKNOWN = errorResult(
  'The service could not wait for the end of this call, so it may have been done or not. Check before you repeat it.',
);

/** Executes an approved call whose caller is gone, and keeps the result for the agent (contract §5.7). */
@Injectable()
export class ExecutionWithoutCallerService {
  constructor(
    private readonly executions: ExecutionOnceService,
    private readonly calls: ApprovedCallRightsRepository,
    private readonly args: SealedArgumentsService,
    @InjectRepository(Gate) private readonly gates: GateRepository,
    private readonly rights: CallRightsService,
    private readonly budgets: BudgetChecksService,
    private readonly records: CallRecordsService,
    private readonly servers: InstalledServerClient,
  ) {}

  /** Does nothing where another process has claimed the call. @param stopping aborts when this process shuts down */
  async execute(gateId: string, stopping: AbortSignal): Promise<void> {
    const gate = await this.gates.read(gateId);
    if (!gate || !(await this.executions.begin(gateId, 'approved'))) return;
    const ended = await this.attempt(gate, stopping).catch(endWithFailure);
    await this.executions.end(gate, ended, ended.result);
  }

  /** Everything is checked again; the last and binding check is made at the moment at which the call is sent. */
  private async attempt(gate: GateRow, stopping: AbortSignal): Promise<EndedCall> {
    const { id: gateId } = gate;
    const call = await this.calls.find(gateId);
    const exact = await this.args.exact(gateId);
    if (!call?.slug || !exact) throw new ApprovalOutdated(gateId, 'not_granted');
    const { verdict } = await this.rights.read(call.agentId, call.slug, call.tool);
    if (!verdict.allowed) throw new ApprovalOutdated(gateId, verdict.reason);
    const issue = call.issueId && call.projectId ? { id: call.issueId, projectId: call.projectId } : null;
    const budget = await this.budgets.spend({ agentId: call.agentId, issue }, 'tool_call', { toolCalls: 1 });
    const sealed = sealedCallOf(gate, exact);
    if (budget === 'refused') throw new ApprovalOutdated(gateId, 'budget');
    const ended = await this.recorded(gateId, call, verdict.server, sealed, budget === 'counted', stopping);
    return { ...ended, result: withAddresses(call.slug, withoutReservedMeta(ended.result)) };
  }

  private async recorded(
    gateId: string,
    call: ApprovedCall,
    server: CalledServer,
    sealed: SealedCall,
    isCounted: boolean,
    stopping: AbortSignal,
  ): Promise<EndedCall> {
    const record = this.records.begin({ id: call.agentId, name: call.agentName }, server, {
      tool: call.tool,
      args: sealed.args,
      calledFor: call.issueId
        ? { issueId: call.issueId, projectId: call.projectId, leaseToken: null, turn: 0 }
        : null,
      isCounted,
      gateId,
    });
    try {
      const ended = await this.send(gateId, call, server, sealed, stopping);
      record.end(ended, ended.result);
      return ended;
    } catch (error) {
      const { outcome, reason } = endWithFailure(error);
      record.end({ outcome, reason });
      throw error;
    }
  }

  private async send(
    gateId: string,
    { agentId, tool }: ApprovedCall,
    server: CalledServer,
    { args, answers }: SealedCall,
    stopping: AbortSignal,
  ): Promise<EndedCall> {
    const { serverId, revision } = server;
    const target = { serverId, scope: scopeOf(server, agentId), revision };
    // A person wants this call, so the agent's other calls do not hold it up.
    const options = { signal: stopping, start: { approvedBy: gateId }, caller: agentId, isForAll: true };
    const answered = async (retry: Partial<Retry>, left: number): Promise<Given> => {
      const params = { name: tool, arguments: args.value, ...retry };
      const result = await this.servers.call(target, 'tools/call', params, options);
      if (!needsInput(result) || left === 0) return result;
      // No caller waits who could be asked again.
      return answered({ ...retry, ...declinedRetryOf(result) }, left - 1);
    };
    const ended = await endOf(answered(answers, MOST_ROUNDS));
    return stopping.aborted && ended.outcome !== 'ok'
      ? { outcome: 'unknown', reason: 'stopped', result: UNKNOWN }
      : ended;
  }
}

/** A question seals the arguments of its call together with what the server asked; the person's answers finish the call. */
function sealedCallOf({ kind, answer }: GateRow, exact: Readonly<Given>): SealedCall {
  if (kind !== 'question') return { args: ToolArguments.of(exact), answers: {} };
  const { arguments: given, keys, requestState } = exact;
  return {
    args: ToolArguments.of(given as Given),
    answers: answeredRetryOf(keys as string[], answer, requestState),
  };
}

function endWithFailure(error: unknown): EndedCall {
  return error instanceof ApprovalOutdated
    ? { outcome: 'refused', reason: error.reason, result: problemResult(error) }
    : { outcome: 'unknown', reason: 'internal', result: UNKNOWN };
}
