import { priorities } from '../../work/issue-status/issue-status.js';

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

/** The description of a platform tool, without its name. */
export type ToolDefinition = Pick<AgentTool, 'title' | 'inputSchema' | 'annotations'> & {
  description: string;
};

/** Hints for clients that ask a person before they call a tool. */
export const READS = { readOnlyHint: true, openWorldHint: false };
export const WRITES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

/** Returns the schema of an object with exactly these properties. */
export const taking = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

export const orNull = (description: string) => ({ type: ['string', 'null'], description });

export const issueId = { type: 'string', description: 'Id of the issue, or its key such as "DOCS-12".' };
export const title = { type: 'string', minLength: 1, maxLength: 500, description: 'Short, imperative.' };
export const priority = { type: 'string', enum: [...priorities] };
export const labels = {
  type: 'array',
  items: { type: 'string' },
  maxItems: 50,
  description: 'All labels of the issue, by name or id. They must exist in its project.',
};
export const cursor = { type: 'string', description: 'nextCursor of the previous result.' };
export const leaseToken = {
  type: 'integer',
  minimum: 0,
  description: 'The leaseToken that platform__next_issue returned with the issue.',
};
export const worker = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'Your name, the same in all calls: it keeps the leases that you took under it.',
};
