import { Injectable } from '@nestjs/common';
import { ToolAccess } from '../../../mcp/access/tool-access.js';
import type { CallRow, CallVerdict } from '../../../mcp/access/call-verdict.js';
import { McpUnavailable } from '../../../mcp/processes/mcp-errors.js';
import { ServerCalls } from '../../../mcp/installed-servers/running/server-calls.js';
import { scopeOf } from '../../../mcp/installed-servers/running/scope.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { CallRecords } from '../call-records/call-records.js';
import { forwardedMeta, withoutReservedMeta } from '../meta.js';
import { originalOf, partsOf, type AdvertisedParts } from './advertised.js';
import type { Exchange } from './exchange.js';
import { answerRefused, notYours } from './refused-call.js';
import { asProtocolFault } from './server-fault.js';
import { toolFailure } from './tool-result.js';

type Loose = Record<string, unknown>;

/**
 * Calls the tools of servers for agents (spec §7). Whether the agent may is asked of the database at every
 * call, by the same question that makes its list; then arguments, progress, cancellation and result pass
 * through as they are.
 */
@Injectable()
export class ToolCalls {
  constructor(
    private readonly access: ToolAccess,
    private readonly servers: ServerCalls,
    private readonly records: CallRecords,
  ) {}

  /**
   * @param params of tools/call, as they came
   * @throws {ProtocolError} for a tool that is unknown or not granted, and for the server's own JSON-RPC error
   */
  async call(agent: AgentPrincipal, params: Loose, exchange: Exchange): Promise<Loose> {
    const parts = partsOf(params.name);
    if (!parts) throw notYours(params.name);
    const { right, ...passing } = exchange;
    const { verdict, toolName } = await this.judge(agent.id, String(params.name), parts, right?.verdict);
    const call = { tool: toolName, args: params.arguments, issueId: right?.issueId };
    const record = verdict.server && this.records.begin(agent, verdict.server, call);
    if (!verdict.allowed) {
      record?.end('refused');
      return answerRefused(verdict, String(params.name));
    }
    return this.pass(agent, verdict.server, { ...params, name: toolName }, passing).then(
      (result) => {
        record?.end(result.isError === true ? 'tool_error' : 'ok');
        return withoutReservedMeta(result);
      },
      (fault: unknown) => {
        record?.end('failed');
        if (fault instanceof McpUnavailable) return toolFailure(fault.reason);
        throw asProtocolFault(fault);
      },
    );
  }

  private pass(
    agent: AgentPrincipal,
    { serverId, sharing, revision }: CallRow,
    params: Loose,
    exchange: Exchange,
  ): Promise<Loose> {
    const target = { serverId, scope: scopeOf(sharing, agent.id), revision };
    return this.servers.call(target, 'tools/call', forwardedMeta(params), { ...exchange, caller: agent.id });
  }

  /** One statement, but for a name that was changed or cut: then a look at all names tells which tool it is. */
  private async judge(
    agentId: string,
    advertised: string,
    parts: AdvertisedParts,
    known?: CallVerdict,
  ): Promise<{ verdict: CallVerdict; toolName: string }> {
    const verdict = known ?? (await this.access.mayCall(agentId, parts.slug, parts.name));
    if (!parts.mayBeChanged || verdict.allowed || verdict.reason !== 'unknown_tool')
      return { verdict, toolName: parts.name };
    const tools = await this.access.explain(agentId);
    const names = tools.filter(({ slug }) => slug === parts.slug).map(({ name }) => name);
    const toolName = originalOf(advertised, parts.slug, names) ?? parts.name;
    return { verdict: await this.access.mayCall(agentId, parts.slug, toolName), toolName };
  }
}
