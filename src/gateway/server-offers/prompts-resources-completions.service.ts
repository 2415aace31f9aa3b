import { Injectable } from '@nestjs/common';
import {
  addressed,
  advertisedName,
  originalOf,
  partsOf,
  partsOfAddress,
  withAddressesInMessages,
} from '../../mcp/access/advertised-name.js';
import type { CalledServer } from '../../mcp/access/server-and-tool-refusals.js';
import { ToolAccessService } from '../../mcp/access/tool-access.service.js';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { mayUseServers } from '../agent-tools/agent-tools.service.js';
import type { Exchange } from '../calls/exchange.js';
import { notYours } from '../calls/sentences-of-refused-calls.js';
import { ServerListsService, ServerRequestsService } from './server-lists-and-requests.service.js';

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

/** Completes arguments of prompts and resource templates by a request to their server. */
@Injectable()
export class CompletionsService {
  constructor(
    private readonly prompts: PromptsService,
    private readonly resources: ResourcesService,
    private readonly requests: ServerRequestsService,
  ) {}

  async complete(agent: AgentPrincipal, params: Loose, exchange: Exchange): Promise<Loose> {
    const ref = (params.ref ?? {}) as Loose;
    const { server, own } = await this.find(agent, ref);
    return this.requests.pass(agent, server, 'completion/complete', { ...params, ref: own }, exchange);
  }

  private async find(agent: AgentPrincipal, ref: Loose) {
    if (ref.type === 'ref/prompt') {
      const { server, name } = await this.prompts.find(agent, ref.name);
      return { server, own: { ...ref, name } };
    }
    if (ref.type !== 'ref/resource')
      throw notYours(ref.type, 'A completion refers to ref/prompt or ref/resource.');
    const { server, uri } = await this.resources.find(agent, ref.uri);
    return { server, own: { ...ref, uri } };
  }
}
