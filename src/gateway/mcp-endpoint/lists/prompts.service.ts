import { Injectable } from '@nestjs/common';
import { advertisedName, originalOf, partsOf } from '../../../mcp/access/advertised-name.js';
import { ToolAccessService } from '../../../mcp/access/tool-access.service.js';
import type { CalledServer } from '../../../mcp/access/call-verdict.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { mayUseServers } from '../../agent-tools/lease-required.js';
import type { Exchange } from '../calls/exchange.js';
import { notYours } from '../calls/refused-call.js';
import { withAddressesInMessages } from '../resource-address.js';
import { ServerListsService } from './server-lists.service.js';
import { ServerRequestsService } from './server-requests.service.js';

type Loose = Record<string, unknown>;

/** The prompts of an agent's servers, as `<slug>__<prompt>`. */
@Injectable()
export class PromptsService {
  constructor(
    private readonly access: ToolAccessService,
    private readonly lists: ServerListsService,
    private readonly requests: ServerRequestsService,
  ) {}

  async list(agent: AgentPrincipal): Promise<Loose> {
    const servers = mayUseServers(agent) ? await this.access.wholeServers(agent.id) : [];
    const lists = await Promise.all(
      servers.map(async (server) => {
        const prompts = await this.lists.of(server, agent.id, 'prompts');
        return prompts.map((prompt) => ({
          ...prompt,
          name: advertisedName(server.slug, String(prompt.name)),
        }));
      }),
    );
    return { prompts: lists.flat() };
  }

  async get(agent: AgentPrincipal, params: Loose, exchange: Exchange): Promise<Loose> {
    const { server, name } = await this.find(agent, params.name);
    const prompt = await this.requests.pass(agent, server, 'prompts/get', { ...params, name }, exchange);
    return withAddressesInMessages(server.slug, prompt);
  }

  /** @throws {ProtocolError} when the name belongs to no server that the agent can use */
  async find(agent: AgentPrincipal, advertised: unknown): Promise<{ server: CalledServer; name: string }> {
    const parts = partsOf(advertised);
    if (!parts) throw notYours(advertised);
    const server = await this.requests.serverOf(agent, parts.slug, String(advertised));
    if (!parts.mayBeChanged) return { server, name: parts.name };
    const prompts = await this.lists.of(server, agent.id, 'prompts');
    const names = prompts.map(({ name }) => String(name));
    return { server, name: originalOf(String(advertised), parts.slug, names) ?? parts.name };
  }
}
