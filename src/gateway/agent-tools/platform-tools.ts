import type { AgentTool } from './agent-tool.js';
import { fileTools } from './file-tools.js';
import { linkTools } from './link-tools.js';
import { personTools } from './person-tools.js';
import { readingTools } from './reading-tools.js';
import { leaseToken, worker } from './tool-schemas.js';
import { workTools } from './work-tools.js';
import { writingTools } from './writing-tools.js';

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
