import type { ToolCallRecord } from '../../../mcp/installed-servers/tools/tool-calls.repository.js';

/** The record of a call by an agent. */
export interface AgentCallRecord extends ToolCallRecord {
  agentId: string;
  agentName: string;
  /** The turn of the agent on the issue. */
  turn: number;
  /** Whether the usage has it already. */
  isCounted: boolean;
}
