import { Injectable } from '@nestjs/common';
import type { CalledServer } from '../../../mcp/access/call-verdict.js';
import { scopeOf } from '../../../mcp/installed-servers/running/process-scope.js';
import { endWith, endWithError, type CallEnd } from '../../../mcp/installed-servers/tools/call-outcome.js';
import { InstalledServerClient } from '../../../mcp/installed-servers/running/installed-server.client.js';
import type { EarlierDecision } from '../../../mcp/processes/supervision/supervisor-hooks.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { BudgetChecksService } from '../../../work/budgets/budget-checks.service.js';
import { LeaseRequired, mayUseServers } from '../../agent-tools/lease-required.js';
import { isPlatformTool } from '../../agent-tools/platform-tools.js';
import { WaitingCallsService, type Admitted } from '../approvals/waiting/waiting-calls.service.js';
import { CallRecordsService } from '../call-records/call-records.service.js';
import { LeaseCallsService } from '../leases/lease-calls.service.js';
import { isLeaseHolder } from '../leases/lost-leases.service.js';
import { withAddresses } from '../resource-address.js';
import { forwardedMeta, withoutReservedMeta } from '../meta.js';
import { PlatformCallsService } from '../platform-calls/platform-calls.service.js';
import { CallDecisionsService, type CallDecision } from './call-decisions.service.js';
import type { CalledFor } from './call-rights.repository.js';
import { CallRightsService, type CallRight } from './call-rights.service.js';
import type { Exchange } from './exchange.js';
import { OpenCallsService } from './open-calls.service.js';
import { answerFailed, CallWithdrawn, endOfFailure } from './failed-call.js';
import { answerRefused } from './refused-call.js';
import { asTask, noTask } from '../tasks/created-task.js';
import { problemResult, toolFailure } from './tool-result.js';

type Loose = Record<string, unknown>;

const OVER_BUDGET =
  'A budget for this work is used up, and a person has to raise it: end your turn. The issue comes back once it is raised.';

/**
 * Calls tools for agents (contract §7) in three steps: decide, record, execute. Arguments, progress, cancellation and
 * result pass through unchanged, except for the URIs of resources.
 */
@Injectable()
export class ToolCallsService {
  constructor(
    private readonly decisions: CallDecisionsService,
    private readonly rights: CallRightsService,
    private readonly records: CallRecordsService,
    private readonly servers: InstalledServerClient,
    private readonly platform: PlatformCallsService,
    private readonly budgets: BudgetChecksService,
    private readonly open: OpenCallsService,
    private readonly leaseCalls: LeaseCallsService,
    private readonly approvals: WaitingCallsService,
  ) {}

  /**
   * @param params of tools/call, as they came
   * @param known the right, where it was read together with the caller's key
   * @throws {ProtocolError} for a tool that is unknown or not granted, and for the server's own JSON-RPC error
   */
  call(agent: AgentPrincipal, params: Loose, exchange: Exchange, known?: CallRight): Promise<Loose> {
    const { task } = exchange;
    // A lease key ends with the wait of its call, so its holder could not poll.
    const answered = this.onLease(
      agent,
      params,
      agent.lease ? { ...exchange, task: undefined } : exchange,
      known,
    );
    return this.open.run(task === 'now' && !agent.lease ? asTask(answered) : answered);
  }

  /** With a lease key, a call of a server runs while the lease lives, and a call of the platform begins only then. */
  private onLease(
    agent: AgentPrincipal,
    params: Loose,
    exchange: Exchange,
    known?: CallRight,
  ): Promise<Loose> {
    const run = (bound: Exchange) => this.decideAndRun(agent, params, bound, known);
    if (!isLeaseHolder(agent)) return run(exchange);
    const isOver = known?.leaseIsOver === true;
    if (isPlatformTool(params.name))
      return this.leaseCalls.begin(agent, params.name, isOver, () => run(exchange));
    return this.leaseCalls.run(agent, isOver, exchange, run);
  }

  private async decideAndRun(
    agent: AgentPrincipal,
    params: Loose,
    exchange: Exchange,
    known?: CallRight,
  ): Promise<Loose> {
    const { name } = params;
    if (isPlatformTool(name)) {
      if (exchange.task === 'now') throw noTask(name);
      return this.platform.call(agent, name, params.arguments);
    }
    const right = await this.decisions.decide(agent.id, name, known);
    const { verdict, toolName: tool, calledFor } = right;
    const call = { tool, args: params.arguments, calledFor, isCounted: false };
    const refuse = (reason: string, gateId: string | null = null) => {
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
    const { task } = exchange;
    const asked = { agent, server: verdict.server, tool, args: params.arguments, calledFor, task };
    const admission = verdict.asks ? await this.approvals.admit(asked, exchange) : freely(exchange);
    if ('result' in admission) {
      refuse(admission.reason, admission.gateId);
      return admission.result;
    }
    return this.spendAndRun(agent, params, { ...right, server: verdict.server }, admission);
  }

  private async spendAndRun(
    agent: AgentPrincipal,
    params: Loose,
    { server, toolName, calledFor, hasBudget, decidedAt }: AllowedCall,
    { exchange, gateId, end }: Admitted,
  ): Promise<Loose> {
    const budget = hasBudget ? await this.spend(agent, calledFor, end) : 'none';
    const call = {
      tool: toolName,
      args: params.arguments,
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
    const request = { ...params, name: toolName };
    try {
      const result = await this.execute(agent, server, request, { ...exchange, decision });
      const addressed = withAddresses(server.slug, withoutReservedMeta(result));
      record.end(endWith(result), result);
      await end(endWith(result), addressed);
      return addressed;
    } catch (error) {
      await close(endOfFailure(error));
      return answerFailed(error, String(params.name));
    }
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
    { serverId, sharing, revision }: CalledServer,
    params: Loose,
    exchange: Exchange & { decision: EarlierDecision },
  ): Promise<Loose> {
    const target = { serverId, scope: scopeOf(sharing, agent.id), revision };
    return this.servers.call(target, 'tools/call', forwardedMeta(params), { ...exchange, caller: agent.id });
  }
}

type AllowedCall = Pick<CallDecision, 'toolName' | 'calledFor' | 'hasBudget' | 'decidedAt'> & {
  server: CalledServer;
};

/** A call that needs no approval. */
function freely(exchange: Exchange): Admitted {
  return { exchange, gateId: null, end: () => Promise.resolve() };
}
