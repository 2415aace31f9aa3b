import { Injectable } from '@nestjs/common';
import { ToolAccess } from '../../../mcp/access/tool-access.js';
import type { CallRow } from '../../../mcp/access/call-verdict.js';
import { scopeOf } from '../../../mcp/installed-servers/running/scope.js';
import { ServerCalls } from '../../../mcp/installed-servers/running/server-calls.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import type { Exchange } from '../calls/exchange.js';
import { refusalFault } from '../calls/refused-call.js';
import { asProtocolFault } from '../calls/server-fault.js';
import { forwardedMeta, withoutReservedMeta } from '../meta.js';

type Loose = Record<string, unknown>;

/** Requests of agents to servers other than tool calls: for prompts, resources, completions. */
@Injectable()
export class ServerRequests {
  constructor(
    private readonly access: ToolAccess,
    private readonly servers: ServerCalls,
  ) {}

  /**
   * The server that a name of the agent's leads to.
   * @throws {ProtocolError} where it may not use it now
   */
  async serverOf(agent: AgentPrincipal, slug: string, name: string): Promise<CallRow> {
    const verdict = await this.access.mayUse(agent.id, slug);
    if (!verdict.allowed) throw refusalFault(verdict, name);
    return verdict.server;
  }

  /** @throws {ProtocolError} its own JSON-RPC error, or a sentence where it gave no answer */
  async pass(
    agent: AgentPrincipal,
    server: CallRow,
    method: string,
    params: Loose,
    exchange: Exchange,
  ): Promise<Loose> {
    const target = { serverId: server.serverId, scope: scopeOf(server.sharing, agent.id) };
    try {
      return withoutReservedMeta(
        await this.servers.call(target, method, forwardedMeta(params), { ...exchange, caller: agent.id }),
      );
    } catch (fault) {
      throw asProtocolFault(fault);
    }
  }
}
