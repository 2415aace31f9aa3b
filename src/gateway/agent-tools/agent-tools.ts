import { Injectable } from '@nestjs/common';
import { advertisedName } from '../../mcp/access/advertised-name.js';
import type { AllowedServer } from '../../mcp/access/tool-access.repository.js';
import { ToolAccess } from '../../mcp/access/tool-access.js';
import type { ToolDefinition } from '../../mcp/installed-servers/tools/tool-definition.js';
import type { AgentPrincipal } from '../../platform/auth/principal.js';
import { FirstListingWait } from './first-listing-wait.js';
import { platformTools } from './platform-tools.js';

/** A tool as an agent is told of it. */
export interface AgentTool {
  /** What the agent calls it; see `advertisedName`. */
  name: string;
  /** null for the platform's own. */
  serverId: string | null;
  serverName: string | null;
  /** The server's own name of it. */
  toolName: string;
  title?: string;
  description: string | null;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

/**
 * THE list of an agent's tools, which tools/list and turns give alike (spec §7): the platform's own, then those
 * of the servers that the agent can use, in a fixed order. It comes from approved snapshots, so that a server
 * that is slow or down delays and removes nothing of the others.
 */
@Injectable()
export class AgentTools {
  constructor(
    private readonly access: ToolAccess,
    private readonly firstListings: FirstListingWait,
  ) {}

  async list(agent: Pick<AgentPrincipal, 'id'>): Promise<AgentTool[]> {
    const servers = await this.servers(agent);
    return [
      ...platformTools,
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

function toolOf({ serverId, serverName, slug }: AllowedServer, tool: ToolDefinition): AgentTool {
  const { name, description = null, ...rest } = tool;
  return { name: advertisedName(slug, name), serverId, serverName, toolName: name, description, ...rest };
}
