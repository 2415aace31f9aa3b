/** A tool as it is listed to agents. */
export interface AgentTool {
  /** The name that the agent uses; see `advertisedName`. */
  name: string;
  /** null for the platform's own tools. */
  serverId: string | null;
  serverName: string | null;
  /** The server's own name of the tool. */
  toolName: string;
  title?: string;
  description: string | null;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
  icons?: unknown[];
  execution?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
  /** Present where a person has to approve each call. */
  asks?: true;
}
