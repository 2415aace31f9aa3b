import type { CallOutcome } from '../../mcp/installed-servers/tools/call-outcome.js';
import { OUTCOME_OF_ROW } from '../../mcp/installed-servers/tools/tool-calls.repository.js';

/** The filters of records of tool calls. An undefined one matches every record. */
export interface CallFilter {
  agentId?: string;
  serverId?: string;
  toolName?: string;
  issueId?: string;
  outcome?: CallOutcome;
  from?: Date;
  to?: Date;
}

/** Each condition has an index that also holds the time. */
const CONDITIONS: Record<keyof CallFilter, (placeholder: string) => string> = {
  agentId: (placeholder) => `c.agent_id = ${placeholder}`,
  serverId: (placeholder) => `c.server_id = ${placeholder}`,
  toolName: (placeholder) => `c.tool = ${placeholder}`,
  issueId: (placeholder) => `c.issue_id = ${placeholder}`,
  outcome: (placeholder) => `${OUTCOME_OF_ROW} = ${placeholder}`,
  from: (placeholder) => `c.called_at >= ${placeholder}`,
  to: (placeholder) => `c.called_at < ${placeholder}`,
};

/** Returns the condition on `tool_calls c` for a filter, and the values of its placeholders from `$1` on. */
export function conditionsOf(filter: CallFilter): { where: string; parameters: unknown[] } {
  const names = (Object.keys(CONDITIONS) as (keyof CallFilter)[]).filter(
    (name) => filter[name] !== undefined,
  );
  const conditions = names.map((name, index) => CONDITIONS[name](`$${index + 1}`));
  return { where: ['true', ...conditions].join(' AND '), parameters: names.map((name) => filter[name]) };
}
