import { Injectable } from '@nestjs/common';
import { advertisedName } from '../../mcp/access/advertised-name.js';
import type { AllowedServer } from '../../mcp/access/tool-access.repository.js';
import { ToolAccessService } from '../../mcp/access/tool-access.service.js';
import type { ToolDefinition } from '../../mcp/installed-servers/tools/tool-definition.js';
import type { AgentPrincipal } from '../../platform/auth/principal.js';
import type { AgentTool } from './agent-tool.js';
import { FirstListingWaitService } from './first-listing-wait.service.js';
import { mayUseServers } from './lease-required.js';
import { platformToolsOf } from './lease-tools.js';

/**
 * Lists an agent's tools, for tools/list and turns (contract §7): the platform's own, then those of the servers that the
 * agent can use, in a fixed order. The list comes from approved snapshots, so a slow or failed server neither delays nor
 * removes the tools of others.
 */
@Injectable()
export class AgentToolsService {
  constructor(
    private readonly access: ToolAccessService,
    private readonly firstListings: FirstListingWaitService,
  ) {}

  async list(agent: Pick<AgentPrincipal, 'id' | 'lease' | 'toolsRequireLease'>): Promise<AgentTool[]> {
    const servers = mayUseServers(agent) ? await this.servers(agent) : [];
    return [
      ...platformToolsOf(agent),
      ...servers.flatMap((server) => server.tools.map((tool) => toolOf(server, tool))),
    ];
  }

  private async servers({ id }: Pick<AgentPrincipal, 'id'>): Promise<AllowedServer[]> {
    const servers = await this.access.allowedTools(id);
    const unlisted = servers.filter(({ toolsListed }) => !toolsListed);
    if (unlisted.length === 0 || !(await this.firstListings.forAll(unlisted, id))) return servers;
    return this.access.allowedTools(id);
  }
}

/** Returns a tool of a server as agents get it. Members that the definition has stay in their places. */
export function toolOf(
  { serverId, serverName, slug, asks }: Pick<AllowedServer, 'serverId' | 'serverName' | 'slug' | 'asks'>,
  tool: ToolDefinition,
): AgentTool {
  const { name: toolName, description = null } = tool;
  const names = { name: advertisedName(slug, toolName), description };
  return {
    ...tool,
    ...names,
    serverId,
    serverName,
    toolName,
    ...(asks.includes(toolName) && { asks: true as const }),
  };
}
