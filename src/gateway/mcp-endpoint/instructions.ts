import { Injectable } from '@nestjs/common';
import { ToolAccess } from '../../mcp/access/tool-access.js';
import type { AgentPrincipal } from '../../platform/auth/principal.js';

/** In characters (spec §7): they stand in every conversation of the agent's model. */
const LONGEST = 2_000;
const LONGEST_LINE = 120;

const HOW_TO_WORK = `You work on issues of the Agent Work Platform.
1. Take work with platform__next_issue; null means that there is none now. Keep its leaseToken.
2. Do what the issue's description and comments ask. While you work, call platform__heartbeat with your leases every nextHeartbeatSeconds: read newComments, and stop at once on issues named in stop.
3. Say what you did with platform__add_comment. Finish with platform__update_issue and your leaseToken: status Resolved when it is done, PendingReview when a person has to look at it, Open to give it back.
If you need something first, create an issue for it with platform__create_issue and link it with platform__link_issues (BlockedBy): yours then waits and comes back to you when that is finished.
A tool result with isError says what went wrong: read it before you try again.`;

/** What an agent's model is told when its client greets the endpoint: how to work, and which servers it has. */
@Injectable()
export class Instructions {
  constructor(private readonly access: ToolAccess) {}

  async for(agent: AgentPrincipal): Promise<string> {
    const servers = await this.access.allowedTools(agent.id);
    if (servers.length === 0) return `${HOW_TO_WORK}\nYou have no further MCP servers.`;
    const lines = servers.map(({ slug, serverName, description }) => lineOf(slug, serverName, description));
    return withinLimit(`${HOW_TO_WORK}\nYour MCP servers, by the prefix of their tools:`, lines);
  }
}

function lineOf(slug: string, name: string, description: string): string {
  const line = `${slug}__ ${name}: ${description}`.replaceAll(/\s+/g, ' ');
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
}

/** Each server has its line; where they do not fit, the rest is told by prefix, and in the end by number. */
function withinLimit(start: string, lines: string[]): string {
  const told = [start];
  for (const [at, line] of lines.entries()) {
    const rest = `(and ${lines.length - at} more)`;
    const length = told.join('\n').length;
    if (length + 1 + line.length + 1 + rest.length > LONGEST) return [...told, rest].join('\n');
    told.push(line);
  }
  return told.join('\n');
}
