import { Injectable } from '@nestjs/common';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { ToolAccessService } from '../../../mcp/access/tool-access.service.js';
import type { CalledServer } from '../../../mcp/access/call-verdict.js';
import { scopeOf } from '../../../mcp/installed-servers/running/process-scope.js';
import { InstalledServerClient } from '../../../mcp/installed-servers/running/installed-server.client.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { inSpan } from '../../../platform/tracing/spans.js';
import { LeaseRequired, mayUseServers } from '../../agent-tools/lease-required.js';
import type { Exchange } from '../calls/exchange.js';
import { refusalError } from '../calls/refused-call.js';
import { asProtocolError } from '../calls/server-error.js';
import { forwardedMeta, traceparentIn, withoutReservedMeta } from '../meta.js';

type Loose = Record<string, unknown>;

/** Requests of agents to servers other than tool calls: for prompts, resources, completions. */
@Injectable()
export class ServerRequestsService {
  constructor(
    private readonly access: ToolAccessService,
    private readonly servers: InstalledServerClient,
  ) {}

  /**
   * Returns the server that a name of the agent belongs to.
   * @throws {ProtocolError} when the agent cannot use it now
   */
  async serverOf(agent: AgentPrincipal, slug: string, name: string): Promise<CalledServer> {
    if (!mayUseServers(agent))
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, new LeaseRequired().detail, {
        code: 'lease_required',
      });
    const verdict = await this.access.mayUse(agent.id, slug);
    if (!verdict.allowed) throw refusalError(verdict, name);
    return verdict.server;
  }

  /** @throws {ProtocolError} the server's own JSON-RPC error, or a sentence when it gave no response */
  async pass(
    agent: AgentPrincipal,
    server: CalledServer,
    method: string,
    params: Loose,
    exchange: Exchange,
  ): Promise<Loose> {
    const target = { serverId: server.serverId, scope: scopeOf(server, agent.id) };
    const attributes = { 'mcp.method.name': method, 'awp.server': server.slug };
    const span = { kind: 'client' as const, attributes, continues: traceparentIn(params) };
    try {
      return withoutReservedMeta(
        await inSpan(`${server.slug} ${method}`, span, () =>
          this.servers.call(target, method, forwardedMeta(params), { ...exchange, caller: agent.id }),
        ),
      );
    } catch (fault) {
      throw asProtocolError(fault);
    }
  }
}
