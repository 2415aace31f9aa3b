import {
  type Client,
  isSpecType,
  ProtocolError,
  type RequestOptions as SdkRequestOptions,
  type StandardSchemaV1,
  type Tool,
  type Transport,
  withInputRequired,
} from '@modelcontextprotocol/client';
import { withMarks } from '../../../platform/json/exact-json.js';
import type { AnswerMask } from './answer-mask.js';
import { callDeadline, type Deadline } from './deadlines.js';
import { progressFrom, resultFrom } from './exact-messages.js';
import { DEFAULT_LIMITS } from './frames.js';
import type { RequestOptions } from './mcp-connection.js';
import { asCallFailure, McpUnavailable } from './mcp-errors.js';
import { resultWithoutNulls } from './null-members.js';
import {
  type OpenRequests,
  type ResourceStreams,
  SUBSCRIBE,
  SUBSCRIPTIONS,
} from './server-questions-and-resource-streams.js';
import type { ShortRequests } from './short-requests.js';

/** An old server on stdio that ignores the probe costs this whole time once. Afterwards its verdict is kept. */
const PROBE_TIMEOUT_MS = 5_000;

export const CLIENT_OPTIONS = {
  // Forms only, see `OpenRequests`. The SDK answers sampling and roots with -32601, and a URL with -32602.
  capabilities: { elicitation: { form: {} } },
  versionNegotiation: { mode: 'auto', probe: { timeoutMs: PROBE_TIMEOUT_MS } },
  inputRequired: { autoFulfill: false },
} as const;

/** The longest delay of a timer: `CallClock` ends a call, and not the SDK's own timer. */
export const NEVER_MS = 2 ** 31 - 1;

/** Accepts any object, because a result is passed on to the agent unchanged. */
export const AS_IT_CAME: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'agent-work-platform',
    validate: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { value: value as Record<string, unknown> }
        : { issues: [{ message: 'not an object' }] },
  },
};

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

/** Returns the parameters of a request with `meta` added to its `_meta`. */
export function withMeta(
  params: Record<string, unknown>,
  meta: Record<string, unknown> | undefined,
): Record<string, unknown> {
  if (!meta) return params;
  const given = typeof params._meta === 'object' ? params._meta : {};
  return { ...params, _meta: { ...given, ...meta } };
}

/** Sends the requests of one connection by the way that its era and method need, with time limits and masked results. */
export class ConnectionRequests {
  constructor(
    private readonly client: Client,
    private readonly transport: Transport,
    private readonly short: ShortRequests | null | undefined,
    private readonly mask: AnswerMask,
    private readonly streams: ResourceStreams,
    private readonly open: OpenRequests,
  ) {}

  /** Sends a request when `begin` of its options says so. */
  async send(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<Record<string, unknown>> {
    if (!options.begin) return this.sendNow(method, params, options);
    let sent!: Promise<Record<string, unknown>>;
    await options.begin(() => {
      sent = this.sendNow(method, params, options);
      // The server may respond before `begin` has returned. The caller gets the error below.
      sent.catch(() => undefined);
    });
    return sent;
  }

  private async sendNow(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<Record<string, unknown>> {
    const era = this.client.getProtocolEra() ?? 'legacy';
    if (era === 'modern' && SUBSCRIPTIONS.has(method)) return this.requestStream(method, String(params.uri));
    return resultWithoutNulls(
      await this.open.run(options, (onDeadline) =>
        era === 'legacy' && this.short
          ? this.requestShort(this.short, method, params, options, onDeadline)
          : this.requestBySdk(method, params, options, onDeadline),
      ),
    );
  }

  private async requestShort(
    short: ShortRequests,
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
    onDeadline: (deadline: Deadline) => void,
  ): Promise<Record<string, unknown>> {
    const { onProgress } = options;
    const masked = onProgress && ((notice: Record<string, unknown>) => onProgress(this.mask.value(notice)));
    try {
      return this.mask.value(
        await short.request(
          method,
          withMeta(params, options.meta),
          { ...options, onProgress: masked },
          onDeadline,
        ),
      );
    } catch (error) {
      throw asCallFailure(error, this.mask);
    }
  }

  private async requestStream(method: string, uri: string): Promise<Record<string, unknown>> {
    try {
      return await (method === SUBSCRIBE ? this.streams.subscribe(uri) : this.streams.unsubscribe(uri));
    } catch (error) {
      throw asCallFailure(error, this.mask);
    }
  }

  private async requestBySdk(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
    onDeadline: (deadline: Deadline) => void,
  ): Promise<Record<string, unknown>> {
    const deadline = callDeadline(options.timeoutMs ?? 60_000, options.maxTotalMs ?? 300_000, options.signal);
    onDeadline(deadline);
    const onprogress = (progress: Record<string, unknown>): void => {
      deadline.renew();
      options.onProgress?.(this.mask.value(progressFrom(progress)));
    };
    try {
      const request = withMarks({ method, params: withMeta(params, options.meta) });
      const allowInputRequired = method === 'tools/call';
      const sending = { signal: deadline.signal, timeout: NEVER_MS, onprogress, allowInputRequired };
      const result = await callWithHeaders(this.client, this.transport, request, sending, () =>
        this.client.request(request, withInputRequired(AS_IT_CAME), sending),
      );
      return this.mask.value(resultFrom(result));
    } catch (error) {
      throw asCallFailure(deadline.reason ?? error, this.mask);
    } finally {
      deadline.stop();
    }
  }
}

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
