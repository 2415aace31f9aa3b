/** The result of tools/call, as far as this service makes one itself. */
export interface ToolResult extends Record<string, unknown> {
  content: { type: 'text'; text: string }[];
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
}

/** A failure that the agent's model shall read and act on, other than a fault of the protocol. */
export function toolFailure(sentence: string): ToolResult {
  return { content: [{ type: 'text', text: sentence }], isError: true };
}

/** A JSON answer, for a model as text and for a program as it is. */
export function jsonResult(value: object): ToolResult {
  const structuredContent = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}
