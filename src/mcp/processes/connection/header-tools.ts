import {
  isSpecType,
  ProtocolError,
  type Client,
  type RequestOptions as SdkRequestOptions,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';

import { AS_IT_CAME } from './client-options.js';
import { DEFAULT_LIMITS } from './message-limits.js';
import { listAllTools } from './tool-list.js';

/**
 * A tool of the new era may ask, by `x-mcp-header` in its schema, that an argument be repeated as an HTTP
 * header. A server that misses one says so; only then is its list read and the call made again with them.
 */
export async function callWithHeaders(
  client: Client,
  transport: Transport,
  request: { method: string; params: Record<string, unknown> },
  options: SdkRequestOptions,
  plainCall: () => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  try {
    return await plainCall();
  } catch (error) {
    const { name } = request.params;
    if (!isHeaderMismatch(error) || !transport.hasPerRequestStream || typeof name !== 'string') throw error;
    const tool = await definitionOf(client, name, options.signal);
    if (!tool) throw error;
    return client.callTool(
      { ...request.params, name },
      { ...options, toolDefinition: withoutOutputSchema(tool) },
    );
  }
}

/** The SDK's own listing throws where any other tool of the server has an invalid definition. */
async function definitionOf(client: Client, name: string, signal?: AbortSignal): Promise<Tool | undefined> {
  const page = (params: Record<string, unknown>) =>
    client.request({ method: 'tools/list', params }, AS_IT_CAME, { signal });
  const listed = await listAllTools(page, DEFAULT_LIMITS.toolsMaxBytes);
  return listed.filter((tool) => isSpecType.Tool(tool)).find((tool) => tool.name === name);
}

function isHeaderMismatch(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === HEADER_MISMATCH;
}

/** Whether a result keeps to its schema is for the agent to see, not for us to refuse. */
function withoutOutputSchema(tool: Tool): Tool {
  const { outputSchema: _, ...rest } = tool;
  return rest;
}

const HEADER_MISMATCH = -32020;
