/** The result of tools/call, as far as this service makes one itself. */
export interface ToolResult extends Record<string, unknown> {
  content: { type: 'text'; text: string }[];
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
}

/** A failure that the agent's model reads and acts on, unlike a JSON-RPC error. */
export function toolFailure(sentence: string): ToolResult {
  return { content: [{ type: 'text', text: sentence }], isError: true };
}

/** A JSON result: as text for a model, and as structured content for a program. */
export function jsonResult(value: object): ToolResult {
  const structuredContent = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}
