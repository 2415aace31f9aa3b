import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { advertisedNames } from '../../mcp/access/advertised-name.js';
import { type AllowedServer, ToolAccessService } from '../../mcp/access/tool-access.service.js';
import type { ToolDefinition } from '../../mcp/server-records/tool-definition.js';
import { FirstListingWaitService } from '../../mcp/server-tools/listing-intervals-and-waits.service.js';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Problem } from '../../platform/http/problem.js';
import { jsonText } from '../../platform/json/exact-json.js';
import { type AgentTool, leaseToken, worker } from './agent-tool.js';
import { linkTools, readingTools, writingTools } from './issue-tools.js';
import { fileTools, personTools, workTools } from './work-tools.js';

/** The prefix of the platform's own tools. No server can have the slug `platform` (contract §3.3). */
export const PLATFORM_PREFIX = 'platform__';

/**
 * The tools with which an agent that has nothing but MCP can work (contract §7). The descriptions are written for
 * a model; the rules themselves are those of the HTTP routes, and the same services keep them.
 */
const definitions = {
  ...workTools,
  ...readingTools,
  ...writingTools,
  ...linkTools,
  ...fileTools,
  ...personTools,
};

export type PlatformToolName = keyof typeof definitions;
export const platformToolNames = Object.keys(definitions) as PlatformToolName[];

/** Whether a name is one of the platform's, known or not. */
export function isPlatformTool(name: unknown): name is string {
  return typeof name === 'string' && name.startsWith(PLATFORM_PREFIX);
}

/** Whether a tool of the platform changes nothing. */
export function isReading(toolName: PlatformToolName): boolean {
  return definitions[toolName].annotations.readOnlyHint;
}

/** The properties that a tool defines for itself. */
export function ownPropertiesOf(toolName: PlatformToolName): Record<string, unknown> {
  return definitions[toolName].inputSchema['properties'] as Record<string, unknown>;
}

/** The tools as they are listed to every agent, in a fixed order. */
export const platformTools: readonly AgentTool[] = platformToolNames.map((toolName) => ({
  name: PLATFORM_PREFIX + toolName,
  serverId: null,
  serverName: null,
  toolName,
  ...definitions[toolName],
  inputSchema: withCaller(toolName),
}));

/** With each tool an agent may say who it is, which renews its leases. */
function withCaller(toolName: PlatformToolName): Record<string, unknown> {
  const properties = ownPropertiesOf(toolName);
  const token = 'issueId' in properties && { leaseToken };
  return { ...definitions[toolName].inputSchema, properties: { ...token, ...properties, worker } };
}

type Schema = { properties: Record<string, unknown>; required: readonly string[] } & Record<string, unknown>;

/** What a worker does for its agent, and not a tool that serves one issue. */
const OF_WORKERS: ReadonlySet<string> = new Set(['next_issue', 'heartbeat', 'my_issues']);

/** Tools that read any issue, such as those that block the caller's own. */
const READS_ISSUES: ReadonlySet<string> = new Set(['get_issue', 'list_attachments']);

/** Whether a platform tool names an issue. */
export const takesIssue = (tool: PlatformToolName) => 'issueId' in ownPropertiesOf(tool);

/** Whether a platform tool may name another issue than that of the lease, because it only reads. */
export const readsOthers = (tool: PlatformToolName) => READS_ISSUES.has(tool);

/** Whether a platform tool does something with the token of a lease beside renewing it. */
export const takesToken = (tool: PlatformToolName) => 'leaseToken' in ownPropertiesOf(tool);

/** Whether a platform tool is there for this caller. */
export function isOffered(tool: string, { lease }: Pick<AgentPrincipal, 'lease'>): boolean {
  return lease === null || !OF_WORKERS.has(tool);
}

/** The platform's tools as a lease key sees them: they serve one issue, so they take neither its id nor its token, nor a worker. */
const leaseTools: readonly AgentTool[] = platformTools
  .filter(({ toolName }) => isOffered(toolName, { lease: { issueId: '', token: 0 } }))
  .map((tool) => ({ ...tool, inputSchema: withoutLease(tool) }));

/** Returns the platform's tools for this caller, in a fixed order. */
function platformToolsOf({ lease }: Pick<AgentPrincipal, 'lease'>): readonly AgentTool[] {
  return lease === null ? platformTools : leaseTools;
}

function withoutLease({ toolName, inputSchema }: AgentTool): Record<string, unknown> {
  const { properties, required, ...rest } = inputSchema as Schema;
  const { issueId, leaseToken: _token, worker: _worker, ...others } = properties;
  const kept = READS_ISSUES.has(toolName) ? { issueId: optional(issueId), ...others } : others;
  return {
    ...rest,
    properties: kept,
    required: required.filter((name) => name !== 'issueId' && name !== 'leaseToken'),
  };
}

function optional(schema: unknown): object {
  return {
    ...(schema as object),
    description: 'Id or key of another issue to read. Your own issue by default.',
  };
}

/** Returns a digest of an agent's tools that changes with their names, definitions and order. */
export function versionOf(tools: readonly AgentTool[]): string {
  return createHash('sha256').update(jsonText(tools)).digest('base64url');
}

/** Whether the caller may use the tools of servers: some agents need a lease key for them (contract §7.9). */
export function mayUseServers({
  toolsRequireLease,
  lease,
}: Pick<AgentPrincipal, 'toolsRequireLease' | 'lease'>): boolean {
  return !toolsRequireLease || lease !== null;
}

/** 403: the agent uses the tools of servers only with the key of a lease (contract §7.9). */
export class LeaseRequired extends Problem {
  constructor() {
    super(
      'lease_required',
      'You use this only while you work on an issue, with the key that came with its lease: connect.headers of the heartbeat.',
    );
  }
}

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
    return [...platformToolsOf(agent), ...servers.flatMap(toolsOf)];
  }

  private async servers({ id }: Pick<AgentPrincipal, 'id'>): Promise<AllowedServer[]> {
    const servers = await this.access.allowedTools(id);
    const unlisted = servers.filter(({ toolsListed }) => !toolsListed);
    if (unlisted.length === 0 || !(await this.firstListings.forAll(unlisted, id))) return servers;
    return this.access.allowedTools(id);
  }
}

type ListedServer = Pick<AllowedServer, 'serverId' | 'serverName' | 'slug' | 'asks' | 'tools'>;

/** Returns the tools of a server as agents get them. */
export function toolsOf(server: ListedServer): AgentTool[] {
  const names = advertisedNames(
    server.slug,
    server.tools.map(({ name }) => name),
  );
  return server.tools.map((tool, at) => toolOf(server, tool, names[at]!));
}

/** Members that the definition has stay in their places. */
function toolOf({ serverId, serverName, asks }: ListedServer, tool: ToolDefinition, name: string): AgentTool {
  const { name: toolName, description = null } = tool;
  return {
    ...tool,
    name,
    description,
    serverId,
    serverName,
    toolName,
    ...(asks.includes(toolName) && { asks: true as const }),
  };
}
