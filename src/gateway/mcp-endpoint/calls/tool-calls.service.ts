import { Injectable } from '@nestjs/common';
import type { CalledServer } from '../../../mcp/access/call-verdict.js';
import { scopeOf } from '../../../mcp/installed-servers/running/process-scope.js';
import { InstalledServerClient } from '../../../mcp/installed-servers/running/installed-server.client.js';
import { McpUnavailable } from '../../../mcp/processes/connection/mcp-errors.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { PLATFORM_PREFIX } from '../../agent-tools/platform-tools.js';
import { CallRecordsService } from '../call-records/call-records.service.js';
import { withAddresses } from '../lists/resource-address.js';
import { forwardedMeta, withoutReservedMeta } from '../meta.js';
import { PlatformCallsService } from '../platform-calls/platform-calls.service.js';
import { CallDecisionsService } from './call-decisions.service.js';
import type { CallRight } from './call-rights.service.js';
import type { Exchange } from './exchange.js';
import { OpenCallsService } from './open-calls.service.js';
import { answerRefused } from './refused-call.js';
import { asProtocolError } from './server-error.js';
import { toolFailure } from './tool-result.js';

type Loose = Record<string, unknown>;

/**
 * Calls tools for agents (contract §7) in three steps: decide, record, execute. Arguments, progress, cancellation and
 * result pass through unchanged, except for the URIs of resources.
 */
@Injectable()
export class ToolCallsService {
  constructor(
    private readonly decisions: CallDecisionsService,
    private readonly records: CallRecordsService,
    private readonly servers: InstalledServerClient,
    private readonly platform: PlatformCallsService,
    private readonly open: OpenCallsService,
  ) {}

  /**
   * @param params of tools/call, as they came
   * @param known the right, where it was read together with the caller's key
   * @throws {ProtocolError} for a tool that is unknown or not granted, and for the server's own JSON-RPC error
   */
  call(agent: AgentPrincipal, params: Loose, exchange: Exchange, known?: CallRight): Promise<Loose> {
    return this.open.run(this.decideAndRun(agent, params, exchange, known));
  }

  private async decideAndRun(
    agent: AgentPrincipal,
    params: Loose,
    exchange: Exchange,
    known?: CallRight,
  ): Promise<Loose> {
    const { name } = params;
    if (typeof name === 'string' && name.startsWith(PLATFORM_PREFIX))
      return this.platform.call(agent, name, params.arguments);
    const { verdict, toolName, issueId } = await this.decisions.decide(agent.id, name, known);
    const call = { tool: toolName, args: params.arguments, issueId };
    const record = verdict.server && this.records.begin(agent, verdict.server, call);
    if (!verdict.allowed) {
      record?.end('refused');
      return answerRefused(verdict, String(name));
    }
    return this.execute(agent, verdict.server, { ...params, name: toolName }, exchange).then(
      (result) => {
        record?.end(result.isError === true ? 'tool_error' : 'ok');
        return withAddresses(verdict.server.slug, withoutReservedMeta(result));
      },
      (error: unknown) => {
        record?.end('failed');
        if (error instanceof McpUnavailable) return toolFailure(error.reason);
        throw asProtocolError(error);
      },
    );
  }

  private execute(
    agent: AgentPrincipal,
    { serverId, sharing, revision }: CalledServer,
    params: Loose,
    exchange: Exchange,
  ): Promise<Loose> {
    const target = { serverId, scope: scopeOf(sharing, agent.id), revision };
    return this.servers.call(target, 'tools/call', forwardedMeta(params), { ...exchange, caller: agent.id });
  }
}
