import type { Problem } from '../../platform/http/problem.js';
import { jsonText, parseJson } from '../../platform/json/exact-json.js';

/** An image in base64. */
export interface ShownImage {
  data: string;
  mimeType: string;
}

/** A value that a tool returns together with an image for the model. */
export class WithImage {
  constructor(
    readonly value: object,
    readonly image: ShownImage,
  ) {}
}

/** The result of tools/call, as far as this service makes one itself. */
export interface ToolResult extends Record<string, unknown> {
  content: ({ type: 'text'; text: string } | ({ type: 'image' } & ShownImage))[];
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
}

/** A failure that the agent's model reads and acts on, unlike a JSON-RPC error. */
export function toolFailure(sentence: string): ToolResult {
  return { content: [{ type: 'text', text: sentence }], isError: true };
}

/** A refusal with its code and members, for a model to read and a program to act on. */
export function problemResult({ code, detail, errors, members }: Problem): ToolResult {
  const structuredContent = { code, detail, ...(errors && { errors }), ...members };
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    isError: true,
  };
}

/** Returns the result for what a tool of the platform returned. */
export function resultOf(value: object): ToolResult {
  if (!(value instanceof WithImage)) return jsonResult(value);
  const result = jsonResult(value.value);
  return { ...result, content: [...result.content, { type: 'image', ...value.image }] };
}

/** A JSON result: as text for a model, and as structured content for a program. */
export function jsonResult(value: object): ToolResult {
  const text = jsonText(value);
  return { content: [{ type: 'text', text }], structuredContent: parseJson(text) as Record<string, unknown> };
}
