import {
  ProtocolError,
  type Client,
  type RequestOptions,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';

/**
 * A tool of the new era may ask, by `x-mcp-header` in its schema, that an argument be repeated as an HTTP
 * header. A server that misses one says so; only then is its list read and the call made again with them.
 */
export async function callWithHeaders(
  client: Client,
  transport: Transport,
  request: { method: string; params: Record<string, unknown> },
  options: RequestOptions,
  plainCall: () => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  try {
    return await plainCall();
  } catch (error) {
    const { name } = request.params;
    if (!isHeaderMismatch(error) || !transport.hasPerRequestStream || typeof name !== 'string') throw error;
    const { tools } = await client.listTools(undefined, { signal: options.signal, cacheMode: 'bypass' });
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) throw error;
    return client.callTool(
      { ...request.params, name },
      { ...options, toolDefinition: withoutOutputSchema(tool) },
    );
  }
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
