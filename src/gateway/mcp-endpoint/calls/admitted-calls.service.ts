import { Injectable } from '@nestjs/common';
import type { CalledServer } from '../../../mcp/access/call-verdict.js';
import { InstalledServerClient } from '../../../mcp/installed-servers/running/installed-server.client.js';
import { scopeOf } from '../../../mcp/installed-servers/running/process-scope.js';
import { endWith, endWithError, type CallEnd } from '../../../mcp/installed-servers/tools/call-outcome.js';
import type { EarlierDecision } from '../../../mcp/processes/supervision/supervisor-hooks.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { BudgetChecksService } from '../../../work/budgets/budget-checks.service.js';
import type { Admitted } from '../approvals/waiting/waiting-calls.service.js';
import { CallRecordsService } from '../call-records/call-records.service.js';
import { forwardedMeta, withoutReservedMeta } from '../meta.js';
import { withAddresses } from '../resource-address.js';
import type { CallDecision } from './call-decisions.service.js';
import type { CalledFor } from './call-rights.repository.js';
import { CallRightsService } from './call-rights.service.js';
import type { Exchange } from './exchange.js';
import { answerFailed, CallWithdrawn, endOfFailure } from './failed-call.js';
import { toolFailure } from './tool-result.js';

type Loose = Record<string, unknown>;

type AllowedCall = Pick<CallDecision, 'toolName' | 'calledFor' | 'hasBudget' | 'decidedAt'> & {
  server: CalledServer;
};

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
  ) {}

  /** @throws {ProtocolError} for the server's own JSON-RPC error */
  async run(
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
