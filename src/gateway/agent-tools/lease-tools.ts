import type { AgentPrincipal } from '../../platform/auth/principal.js';
import type { AgentTool } from './agent-tool.js';
import { ownPropertiesOf, platformTools, type PlatformToolName } from './platform-tools.js';

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
export function platformToolsOf({ lease }: Pick<AgentPrincipal, 'lease'>): readonly AgentTool[] {
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
