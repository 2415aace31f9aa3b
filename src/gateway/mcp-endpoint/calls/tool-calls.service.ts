import { Injectable } from '@nestjs/common';
import type { CalledServer, CallVerdict } from '../../../mcp/access/call-verdict.js';
import { scopeOf } from '../../../mcp/installed-servers/running/process-scope.js';
import { endWith, endWithError } from '../../../mcp/installed-servers/tools/call-outcome.js';
import { InstalledServerClient } from '../../../mcp/installed-servers/running/installed-server.client.js';
import { McpUnavailable } from '../../../mcp/processes/connection/mcp-errors.js';
import type { EarlierDecision } from '../../../mcp/processes/supervision/supervisor-hooks.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { BudgetChecksService } from '../../../work/budgets/budget-checks.service.js';
import { mayUseServers } from '../../agent-tools/lease-tools.js';
import { isPlatformTool } from '../../agent-tools/platform-tools.js';
import { CallRecordsService } from '../call-records/call-records.service.js';
import { LeaseCallsService } from '../leases/lease-calls.service.js';
import { LeaseOver } from '../leases/lease-over.js';
import { LeaseRequired } from '../leases/lease-required.js';
import { isLeaseHolder } from '../leases/lost-leases.service.js';
import { withAddresses } from '../resource-address.js';
import { forwardedMeta, withoutReservedMeta } from '../meta.js';
import { PlatformCallsService } from '../platform-calls/platform-calls.service.js';
import { CallDecisionsService } from './call-decisions.service.js';
import type { CalledFor } from './call-rights.repository.js';
import { CallRightsService, type CallRight } from './call-rights.service.js';
import type { Exchange } from './exchange.js';
import { OpenCallsService } from './open-calls.service.js';
import { answerRefused } from './refused-call.js';
import { asProtocolError } from './server-error.js';
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
  ) {}

  /**
   * @param params of tools/call, as they came
   * @param known the right, where it was read together with the caller's key
   * @throws {ProtocolError} for a tool that is unknown or not granted, and for the server's own JSON-RPC error
   */
  call(agent: AgentPrincipal, params: Loose, exchange: Exchange, known?: CallRight): Promise<Loose> {
    return this.open.run(this.onLease(agent, params, exchange, known));
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
    if (isPlatformTool(name)) return this.platform.call(agent, name, params.arguments);
    const right = await this.decisions.decide(agent.id, name, known);
    const { verdict, toolName, calledFor, decidedAt } = right;
    const mayCall = mayUseServers(agent) && verdict.allowed;
    const budget = mayCall && right.hasBudget ? await this.spend(agent, calledFor) : 'none';
    const call = { tool: toolName, args: params.arguments, calledFor, isCounted: budget !== 'none' };
    const record = verdict.server && this.records.begin(agent, verdict.server, call);
    if (!mayUseServers(agent)) {
      record?.end({ outcome: 'refused', reason: 'lease_required' });
      return problemResult(new LeaseRequired());
    }
    if (!verdict.allowed) {
      record?.end({ outcome: 'refused', reason: verdict.reason });
      return answerRefused(verdict, String(name));
    }
    if (budget === 'refused') {
      record?.end({ outcome: 'refused', reason: 'budget' });
      return toolFailure(OVER_BUDGET);
    }
    const decision = { decidedAt, confirm: () => this.confirm(agent, verdict.server, toolName) };
    return this.execute(agent, verdict.server, { ...params, name: toolName }, { ...exchange, decision }).then(
      (result) => {
        record?.end(endWith(result), result);
        return withAddresses(verdict.server.slug, withoutReservedMeta(result));
      },
      (error: unknown) => {
        if (error instanceof CallWithdrawn) {
          record?.end({ outcome: 'refused', reason: error.refusal.reason });
          return answerRefused(error.refusal, String(name));
        }
        record?.end(error instanceof LeaseOver ? LEASE_LOST : endWithError(error));
        if (error instanceof McpUnavailable) return toolFailure(error.reason);
        throw asProtocolError(error);
      },
    );
  }

  private spend(agent: AgentPrincipal, calledFor: CalledFor | null) {
    const { issueId: id, projectId } = calledFor ?? {};
    const issue = id && projectId ? { id, projectId } : null;
    return this.budgets.spend({ agentId: agent.id, issue }, 'tool_call', { toolCalls: 1 });
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

const LEASE_LOST = { outcome: 'refused', reason: 'lease_lost' } as const;

/** A call that was permitted when it came, and no longer when its server was ready. */
class CallWithdrawn extends Error {
  constructor(readonly refusal: Extract<CallVerdict, { allowed: false }>) {
    super(refusal.reason);
  }
}
