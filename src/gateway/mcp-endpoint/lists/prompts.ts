import { Injectable } from '@nestjs/common';
import { advertisedName } from '../../../mcp/access/advertised-name.js';
import { ToolAccess } from '../../../mcp/access/tool-access.js';
import type { CallRow } from '../../../mcp/access/call-verdict.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { originalOf, partsOf } from '../calls/advertised.js';
import type { Exchange } from '../calls/exchange.js';
import { notYours } from '../calls/refused-call.js';
import { ServerLists } from './server-lists.js';
import { ServerRequests } from './server-requests.js';

type Loose = Record<string, unknown>;

/** The prompts of an agent's servers, as `<slug>__<prompt>`. */
@Injectable()
export class Prompts {
  constructor(
    private readonly access: ToolAccess,
    private readonly lists: ServerLists,
    private readonly requests: ServerRequests,
  ) {}

  async list(agent: AgentPrincipal): Promise<Loose> {
    const servers = await this.access.allowedTools(agent.id);
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
    return this.requests.pass(agent, server, 'prompts/get', { ...params, name }, exchange);
  }

  /** @throws {ProtocolError} where the name leads to no server that the agent can use */
  async find(agent: AgentPrincipal, advertised: unknown): Promise<{ server: CallRow; name: string }> {
    const parts = partsOf(advertised);
    if (!parts) throw notYours(advertised);
    const server = await this.requests.serverOf(agent, parts.slug, String(advertised));
    if (!parts.mayBeChanged) return { server, name: parts.name };
    const prompts = await this.lists.of(server, agent.id, 'prompts');
    const names = prompts.map(({ name }) => String(name));
    return { server, name: originalOf(String(advertised), parts.slug, names) ?? parts.name };
  }
}
