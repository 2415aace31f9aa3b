import type { AgentTool } from './agent-tools.js';
import { readingTools } from './reading-tools.js';
import { workTools } from './work-tools.js';
import { writingTools } from './writing-tools.js';

/** What the names of the platform's own tools begin with; no server's slug can be `platform` (spec §3.3). */
export const PLATFORM_PREFIX = 'platform__';

/**
 * The tools with which an agent that has nothing but MCP can work (spec §7). The descriptions are written for
 * a model; the rules themselves are those of the HTTP routes, and the same services keep them.
 */
const definitions = { ...workTools, ...readingTools, ...writingTools };

export type PlatformToolName = keyof typeof definitions;
export const platformToolNames = Object.keys(definitions) as PlatformToolName[];

/** As every agent is told of them, in a fixed order. */
export const platformTools: readonly AgentTool[] = platformToolNames.map((toolName) => ({
  name: PLATFORM_PREFIX + toolName,
  serverId: null,
  serverName: null,
  toolName,
  ...definitions[toolName],
}));
