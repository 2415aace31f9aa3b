import { Injectable } from '@nestjs/common';
import { ToolAccessService } from '../../mcp/access/tool-access.service.js';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { IssueAccessService } from '../../work/issue-status/issue-access.service.js';
import { mayUseServers } from '../agent-tools/agent-tools.service.js';

/** The parts of a server that the instructions show. */
export interface ToldServer {
  slug: string;
  serverName: string;
  description: string;
}

/** The issue of a lease. */
export interface ToldIssue {
  key: string;
  title: string;
}

/** In characters (contract §7). Instructions are part of every conversation of the agent's model. */
const LONGEST = 2_000;
const LONGEST_LINE = 120;
const SHORTEST_LINE = 24;
const LONGEST_TITLE = 200;

const HOW_TO_WORK = `You work on issues of the Agent Work Platform.
1. Take work with platform__next_issue; null means that there is no work now. Keep its leaseToken; platform__my_issues shows it again.
2. Do what the issue's description and comments ask. While you work, call platform__heartbeat with your leases every nextHeartbeatSeconds: read newComments, and stop at once on issues named in stop.
3. Say what you did with platform__add_comment. Finish with platform__update_issue and your leaseToken: status Resolved when it is done, PendingReview when a person has to look at it, Open to give it back.
If you need something first, create an issue for it with platform__create_issue and link it with platform__link_issues (BlockedBy): yours then waits and comes back to you when that is finished. Split work into many issues with platform__plan_issues, in one call.
Files of an issue are in its attachments: read one with platform__read_attachment, hand one in with platform__add_attachment.
A tool result with isError says what went wrong: read it before you try again.`;

const howToWorkOn = ({
  key,
  title,
}: ToldIssue) => `You work on one issue of the Agent Work Platform: ${key} "${lineOf(title, LONGEST_TITLE)}".
1. Its description, comments and links come from platform__get_issue. The tools that change something concern this issue and need neither its id nor a token.
2. Do what the issue asks. Say what you did, or ask a person, with platform__add_comment.
3. Unless the program that started you finishes the issue, finish it with platform__update_issue: status Resolved when it is done, PendingReview when a person has to look at it, Open to give it back.
If you need something first, create an issue for it with platform__create_issue and link it with platform__link_issues (BlockedBy): this one then waits, and your work on it ends for now. Split work into many issues with platform__plan_issues, in one call.
Files are in its attachments: read one with platform__read_attachment, hand one in with platform__add_attachment.
Your tools end with your work on this issue: after an error with code lease_lost, stop. A tool result with isError says what went wrong: read it before you try again.`;

/**
 * Returns how to work, and one line per server with the prefix of its tools.
 * @param issue the only one that the caller works on, where it has the key of a lease
 */
export function instructionsFor(servers: readonly ToldServer[], issue?: ToldIssue): string {
  const howToWork = issue ? howToWorkOn(issue) : HOW_TO_WORK;
  if (servers.length === 0) return `${howToWork}\nYou have no further MCP servers.`;
  const start = `${howToWork}\nYour MCP servers, by the prefix of their tools:`;
  const room = LONGEST - start.length;
  // Lines get shorter before one is omitted.
  const each = Math.min(LONGEST_LINE, Math.max(SHORTEST_LINE, Math.floor(room / servers.length) - 1));
  return [
    start,
    ...fitting(
      servers.map(({ slug, serverName, description }) =>
        lineOf(`${slug}__ ${serverName}: ${description}`, each),
      ),
      room,
    ),
  ].join('\n');
}

function lineOf(text: string, longest: number): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** Returns the lines that fit, each counted with its line break, and the number of the others. */
function fitting(lines: string[], room: number): string[] {
  const shown: string[] = [];
  let left = room;
  for (const [at, line] of lines.entries()) {
    const rest = `(and ${lines.length - at} more)`;
    const isLast = at === lines.length - 1;
    left -= line.length + 1;
    if (left < (isLast ? 0 : rest.length + 1)) return [...shown, rest];
    shown.push(line);
  }
  return shown;
}

/** Returns the instructions that the endpoint sends when a client initializes. */
@Injectable()
export class InstructionsService {
  constructor(
    private readonly access: ToolAccessService,
    private readonly issues: IssueAccessService,
  ) {}

  async for(agent: AgentPrincipal): Promise<string> {
    const servers = mayUseServers(agent) ? await this.access.allowedTools(agent.id) : [];
    if (!agent.lease) return instructionsFor(servers);
    return instructionsFor(servers, await this.issues.read(agent, agent.lease.issueId));
  }
}
