import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isJsonObject, isNumber } from '../../../platform/json/exact-json.js';
import { callDeadline, type Deadline } from './deadlines.js';
import type { RequestOptions } from './mcp-connection.js';
import { McpError, McpUnavailable } from './mcp-errors.js';

type Loose = Record<string, unknown>;

/** A request that waits for its answer. */
interface Open {
  answer: (message: Loose) => void;
  refuse: (error: McpUnavailable) => void;
  progress: (params: Loose) => void;
}

/**
 * Requests to a server of the old era without the SDK's client, which shares the pipe: such a request is its method,
 * its parameters and an id, and the result is the agent's to judge. The ids begin where the client's never come to,
 * and fit into 32 bits. Answers must come in the order in which the server wrote them, and only those asked for: the
 * transport sees to that.
 */
export class ShortRequests {
  private readonly open = new Map<unknown, Open>();
  private lastId = FIRST_ID;

  /** @param send throws McpUnavailable where the server can't be written to */
  constructor(private readonly send: (message: JSONRPCMessage) => void) {}

  /** The result as it came. @throws {McpError} the server's own words; {McpUnavailable} */
  request(
    method: string,
    params: Loose,
    { signal, timeoutMs = 60_000, maxTotalMs = 300_000, onProgress }: RequestOptions,
    onDeadline?: (deadline: Deadline) => void,
  ): Promise<Loose> {
    return new Promise((resolve, reject) => {
      const id = this.nextId();
      const deadline = callDeadline(timeoutMs, maxTotalMs, signal);
      onDeadline?.(deadline);
      if (deadline.reason) return reject(deadline.reason);
      const close = (): void => {
        deadline.stop();
        this.open.delete(id);
      };
      const refuse = (error: McpUnavailable): void => {
        close();
        reject(error);
      };
      const answer = (message: Loose): void => {
        close();
        if (isJsonObject(message.result)) resolve(message.result);
        else reject(errorIn(message));
      };
      const progress = (notice: Loose): void => {
        deadline.renew();
        onProgress?.(notice);
      };
      this.open.set(id, { answer, refuse, progress });
      deadline.onReached = (reason) => {
        refuse(reason as McpUnavailable);
        this.cancel(id, reason as McpUnavailable);
      };
      try {
        this.send({ jsonrpc: '2.0', id, method, params: withToken(params, id) });
      } catch (error) {
        close();
        reject(error);
      }
    });
  }

  /** False for what belongs to somebody else. */
  take(message: JSONRPCMessage): boolean {
    if ('method' in message) return message.method === PROGRESS && this.takeProgress(message.params ?? {});
    const request = this.open.get(message.id);
    request?.answer(message);
    return request !== undefined;
  }

  /** Rejects all open requests after the connection has ended. */
  end(error: McpUnavailable): void {
    for (const { refuse } of [...this.open.values()]) refuse(error);
  }

  private takeProgress({ progressToken, ...notice }: Loose): boolean {
    const request = this.open.get(progressToken);
    request?.progress(notice);
    return request !== undefined;
  }

  private cancel(requestId: number, { reason }: McpUnavailable): void {
    try {
      this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } });
    } catch {
      // The connection has ended, and the request with it.
    }
  }

  private nextId(): number {
    this.lastId = this.lastId === LAST_ID ? FIRST_ID : this.lastId + 1;
    return this.lastId;
  }
}

/** Progress is asked for even where the caller wants none: a call lasts as long as there is some. */
function withToken(params: Loose, progressToken: number): Loose {
  return { ...params, _meta: { ...(params._meta as Loose | undefined), progressToken } };
}

/** Returns the error of a response. One that a transport made carries an instance as `data`, which JSON cannot imitate. */
function errorIn({ error }: Loose): McpError | McpUnavailable {
  if (!isJsonObject(error) || !isNumber(error.code) || typeof error.message !== 'string')
    return new McpUnavailable('bad_answer', 'The server gave an answer that MCP does not allow.');
  return error.data instanceof McpUnavailable
    ? error.data
    : // The SDK, which writes errors, knows no other code.
      new McpError(Number(error.code), error.message, error.data);
}

const PROGRESS = 'notifications/progress';
const FIRST_ID = 2 ** 30;
const LAST_ID = 2 ** 31 - 1;
