import { Injectable } from '@nestjs/common';
import type { CallReason } from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import { type AgentPrincipal, isLeaseHolder } from '../../platform/authentication/principals-and-roles.js';
import { withNearest } from '../../platform/json/exact-json.js';
import { inSpan } from '../../platform/tracing/spans.js';
import { isPlatformTool, LeaseRequired, mayUseServers } from '../agent-tools/agent-tools.service.js';
import { asTask, noTask } from '../approvals/tasks.service.js';
import { type Admitted, WaitingCallsService } from '../approvals/waiting-and-parked-calls.service.js';
import { CallRecordsService, hasNoRecord } from '../calls/call-records.service.js';
import { CallDecisionsService, type CallRight } from '../calls/call-rights-and-decisions.service.js';
import type { Exchange } from '../calls/exchange.js';
import { McpLeasesService } from '../../work/leases/mcp-leases.service.js';
import { traceparentIn } from '../calls/request-meta-and-task-wish.js';
import { answerRefused, problemResult, toolFailure } from '../calls/tool-results-and-refusals.js';
import { PlatformCallsService } from '../platform-tools/platform-calls-and-callers.service.js';
import {
  AdmittedCallsService,
  type RequestedCall,
  requestedCallOf,
} from './admitted-and-failed-calls.service.js';
import { LeaseCallsService } from './lease-calls-and-starts.service.js';

type Loose = Record<string, unknown>;

const RESTARTING = 'the service is restarting; the call may have been done; check before repeating it';

/** Gives every open tool call a result before a shutdown closes its connection: many clients wait for one without end. */
@Injectable()
export class OpenCallsService {
  private readonly open = new Set<(result: Loose) => void>();

  /** Returns the result of the call, or that of a restart, whichever comes first. */
  async run(call: Promise<Loose>): Promise<Loose> {
    let answer!: (result: Loose) => void;
    const interrupted = new Promise<Loose>((resolve) => (answer = resolve));
    this.open.add(answer);
    try {
      return await Promise.race([call, interrupted]);
    } finally {
      this.open.delete(answer);
    }
  }

  /** Answers all open calls. They go on until their servers are ended. */
  answerAll(): void {
    for (const answer of this.open) answer(toolFailure(RESTARTING));
  }
}

/**
 * Calls tools for agents (contract §7): decides on a call, refuses it or lets it wait for its approval, and has
 * `AdmittedCallsService` make it.
 */
@Injectable()
export class ToolCallsService {
  constructor(
    private readonly decisions: CallDecisionsService,
    private readonly records: CallRecordsService,
    private readonly platform: PlatformCallsService,
    private readonly admitted: AdmittedCallsService,
    private readonly open: OpenCallsService,
    private readonly leaseCalls: LeaseCallsService,
    private readonly approvals: WaitingCallsService,
    private readonly holding: McpLeasesService,
  ) {}

  /**
   * @param params of tools/call, as they came
   * @param known the right, where it was read together with the caller's key
   * @throws {ProtocolError} for arguments that are no object, for a tool that is unknown or not granted, and for the
   *   server's own JSON-RPC error
   */
  async call(agent: AgentPrincipal, params: Loose, exchange: Exchange, known?: CallRight): Promise<Loose> {
    const { task } = exchange;
    const requested = requestedCallOf(params);
    // A lease key ends with the wait of its call, so its holder could not poll.
    const bound = agent.lease ? { ...exchange, task: undefined } : exchange;
    const attributes = { 'mcp.method.name': 'tools/call', 'awp.agent.id': agent.id };
    const answered = inSpan('tools/call', { attributes, continues: traceparentIn(params) }, () =>
      this.onLease(agent, requested, bound, known),
    );
    return this.open.run(task === 'now' && !agent.lease ? asTask(answered) : answered);
  }

  /** With a lease key, a call of a server runs while the lease lives, and a call of the platform begins only then. */
  private onLease(
    agent: AgentPrincipal,
    call: RequestedCall,
    exchange: Exchange,
    known?: CallRight,
  ): Promise<Loose> {
    const run = (bound: Exchange) => this.decideAndRun(agent, call, bound, known);
    if (!isLeaseHolder(agent)) return run(exchange);
    const isOver = known?.leaseIsOver === true;
    if (isPlatformTool(call.name))
      return this.leaseCalls.begin(agent, call.name, isOver, () => run(exchange));
    return this.leaseCalls.run(agent, isOver, exchange, run);
  }

  private async decideAndRun(
    agent: AgentPrincipal,
    requested: RequestedCall,
    exchange: Exchange,
    known?: CallRight,
  ): Promise<Loose> {
    const { name, args } = requested;
    if (hasNoRecord(name)) {
      if (exchange.task === 'now') throw noTask(name);
      return this.platform.call(agent, name, withNearest(args.value), exchange.session);
    }
    if (exchange.session?.holdsLeases) await this.holding.renewOfSession(agent, exchange.session.name);
    const right = await this.decisions.decide(agent.id, name, known);
    const { verdict, toolName: tool, calledFor } = right;
    const call = { tool, args, calledFor, isCounted: false };
    const refuse = (reason: CallReason, gateId: string | null = null) => {
      if (verdict.server)
        this.records.begin(agent, verdict.server, { ...call, gateId }).end({ outcome: 'refused', reason });
    };
    if (!mayUseServers(agent)) {
      refuse('lease_required');
      return problemResult(new LeaseRequired());
    }
    if (!verdict.allowed) {
      refuse(verdict.reason);
      return answerRefused(verdict, String(name));
    }
    if (exchange.task === 'now' && !verdict.asks) throw noTask(String(name));
    const { task, request } = exchange;
    const asked = { agent, server: verdict.server, tool, args, calledFor, task, request };
    const admission = verdict.asks ? await this.approvals.admit(asked, exchange) : freely(exchange);
    if ('result' in admission) {
      refuse(admission.reason, admission.gateId);
      return admission.result;
    }
    return this.admitted.run(agent, requested, { ...right, server: verdict.server }, admission);
  }
}

/** A call that needs no approval. */
function freely(exchange: Exchange): Admitted {
  return { exchange, gateId: null, end: () => Promise.resolve() };
}
