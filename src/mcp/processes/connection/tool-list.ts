import { McpUnavailable } from './mcp-errors.js';

/** Asks for one page of a list. */
export type PageRequest = (params: Record<string, unknown>) => Promise<Record<string, unknown>>;

/**
 * Returns all pages of tools/list in the order of the server.
 * @param maxBytes of the definitions (`MCP_TOOLS_MAX_BYTES`)
 * @throws {McpUnavailable} over 2,000 tools, 100 pages or so many bytes
 */
export async function listAllTools(request: PageRequest, maxBytes: number): Promise<unknown[]> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  let bytes = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await request(cursor === undefined ? {} : { cursor });
    const listed = toolsOf(result);
    tools.push(...listed);
    bytes += Buffer.byteLength(JSON.stringify(listed));
    if (tools.length > MAX_TOOLS || bytes > maxBytes) throw tooMany(maxBytes);
    const next = result.nextCursor;
    if (typeof next !== 'string' || next === cursor) return tools;
    cursor = next;
  }
  throw tooMany(maxBytes);
}

/** What the entries are worth is decided one by one. A server without tools may write null for its list. */
function toolsOf(result: Record<string, unknown>): unknown[] {
  const tools = result.tools ?? [];
  if (!Array.isArray(tools))
    throw new McpUnavailable('bad_answer', 'The server answered tools/list without a list of tools.');
  return tools;
}

function tooMany(maxBytes: number): McpUnavailable {
  return new McpUnavailable(
    'too_large',
    `The server lists more than ${MAX_TOOLS} tools, ${MAX_PAGES} pages or ${maxBytes} bytes.`,
  );
}

const MAX_TOOLS = 2_000;
const MAX_PAGES = 100;
