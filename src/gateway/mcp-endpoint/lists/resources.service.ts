import { Injectable } from '@nestjs/common';
import { ToolAccessService } from '../../../mcp/access/tool-access.service.js';
import type { CalledServer } from '../../../mcp/access/call-verdict.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { mayUseServers } from '../../agent-tools/lease-required.js';
import type { Exchange } from '../calls/exchange.js';
import { notYours } from '../calls/refused-call.js';
import { addressed, partsOfAddress } from '../resource-address.js';
import { ServerListsService } from './server-lists.service.js';
import { ServerRequestsService } from './server-requests.service.js';

type Loose = Record<string, unknown>;

/** The resources of an agent's servers, as `awp+<slug>:<uri>`. */
@Injectable()
export class ResourcesService {
  constructor(
    private readonly access: ToolAccessService,
    private readonly lists: ServerListsService,
    private readonly requests: ServerRequestsService,
  ) {}

  async list(agent: AgentPrincipal): Promise<Loose> {
    return { resources: await this.gather(agent, 'resources', 'uri') };
  }

  async templates(agent: AgentPrincipal): Promise<Loose> {
    return { resourceTemplates: await this.gather(agent, 'templates', 'uriTemplate') };
  }

  async read(agent: AgentPrincipal, params: Loose, exchange: Exchange): Promise<Loose> {
    const { server, uri } = await this.find(agent, params.uri);
    const result = await this.requests.pass(agent, server, 'resources/read', { ...params, uri }, exchange);
    return Array.isArray(result.contents)
      ? { ...result, contents: addressed(server.slug, result.contents as Loose[], 'uri') }
      : result;
  }

  /** @throws {ProtocolError} where the address leads to no server that the agent can use */
  async find(agent: AgentPrincipal, address: unknown): Promise<{ server: CalledServer; uri: string }> {
    const parts = partsOfAddress(address);
    if (!parts)
      throw notYours(
        address,
        'Resources are addressed as awp+<server>:<its own URI>, like resources/list gives them.',
      );
    return { server: await this.requests.serverOf(agent, parts.slug, String(address)), uri: parts.uri };
  }

  private async gather(
    agent: AgentPrincipal,
    kind: 'resources' | 'templates',
    member: 'uri' | 'uriTemplate',
  ): Promise<Loose[]> {
    const servers = mayUseServers(agent) ? await this.access.wholeServers(agent.id) : [];
    const lists = await Promise.all(
      servers.map(async (server) =>
        addressed(server.slug, await this.lists.of(server, agent.id, kind), member),
      ),
    );
    return lists.flat();
  }
}
