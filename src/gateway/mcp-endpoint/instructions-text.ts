/** The parts of a server that the instructions show. */
export interface ToldServer {
  slug: string;
  serverName: string;
  description: string;
}

/** In characters (contract §7). Instructions are part of every conversation of the agent's model. */
const LONGEST = 2_000;
const LONGEST_LINE = 120;
const SHORTEST_LINE = 24;

const HOW_TO_WORK = `You work on issues of the Agent Work Platform.
1. Take work with platform__next_issue; null means that there is no work now. Keep its leaseToken.
2. Do what the issue's description and comments ask. While you work, call platform__heartbeat with your leases every nextHeartbeatSeconds: read newComments, and stop at once on issues named in stop.
3. Say what you did with platform__add_comment. Finish with platform__update_issue and your leaseToken: status Resolved when it is done, PendingReview when a person has to look at it, Open to give it back.
If you need something first, create an issue for it with platform__create_issue and link it with platform__link_issues (BlockedBy): yours then waits and comes back to you when that is finished.
A tool result with isError says what went wrong: read it before you try again.`;

/** Returns how to work, and one line per server with the prefix of its tools. */
export function instructionsFor(servers: readonly ToldServer[]): string {
  if (servers.length === 0) return `${HOW_TO_WORK}\nYou have no further MCP servers.`;
  const start = `${HOW_TO_WORK}\nYour MCP servers, by the prefix of their tools:`;
  const room = LONGEST - start.length;
  // Lines get shorter before one is omitted.
  const each = Math.min(LONGEST_LINE, Math.max(SHORTEST_LINE, Math.floor(room / servers.length) - 1));
  return [
    start,
    ...fitting(
      servers.map((server) => lineOf(server, each)),
      room,
    ),
  ].join('\n');
}

function lineOf({ slug, serverName, description }: ToldServer, longest: number): string {
  const line = `${slug}__ ${serverName}: ${description}`.replaceAll(/\s+/g, ' ');
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** Returns the lines that fit, each counted with its line break, and the number of the others. */
function fitting(lines: string[], room: number): string[] {
  const told: string[] = [];
  let left = room;
  for (const [at, line] of lines.entries()) {
    const rest = `(and ${lines.length - at} more)`;
    const isLast = at === lines.length - 1;
    left -= line.length + 1;
    if (left < (isLast ? 0 : rest.length + 1)) return [...told, rest];
    told.push(line);
  }
  return told;
}
