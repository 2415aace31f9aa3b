import type { Tool } from '@modelcontextprotocol/client';
import { McpUnavailable } from './mcp-errors.js';

/** Asks for one page of a list. */
export type PageRequest = (params: Record<string, unknown>) => Promise<Record<string, unknown>>;

/**
 * Returns all pages of tools/list in the order of the server.
 * @param maxBytes of the definitions (`MCP_TOOLS_MAX_BYTES`)
 * @throws {McpUnavailable} over 2,000 tools, 100 pages or so many bytes
 */
export async function listAllTools(request: PageRequest, maxBytes: number): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  let bytes = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await request(cursor === undefined ? {} : { cursor });
    tools.push(...toolsOf(result));
    bytes += Buffer.byteLength(JSON.stringify(result.tools));
    if (tools.length > MAX_TOOLS || bytes > maxBytes) throw tooMany(maxBytes);
    const next = result.nextCursor;
    if (typeof next !== 'string' || next === cursor) return tools;
    cursor = next;
  }
  throw tooMany(maxBytes);
}

function toolsOf(result: Record<string, unknown>): Tool[] {
  const { tools } = result;
  if (!Array.isArray(tools) || !tools.every(isTool)) {
    throw new McpUnavailable(
      'bad_answer',
      'The server lists something that is no tool: each one needs a name and an input schema.',
    );
  }
  return tools;
}

/** What everything after relies on; the rest of a tool is passed on as it came. */
function isTool(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('inputSchema' in value))
    return false;
  return (
    typeof value.name === 'string' &&
    value.name !== '' &&
    typeof value.inputSchema === 'object' &&
    value.inputSchema !== null
  );
}

function tooMany(maxBytes: number): McpUnavailable {
  return new McpUnavailable(
    'too_large',
    `The server lists more than ${MAX_TOOLS} tools, ${MAX_PAGES} pages or ${maxBytes} bytes.`,
  );
}

const MAX_TOOLS = 2_000;
const MAX_PAGES = 100;
