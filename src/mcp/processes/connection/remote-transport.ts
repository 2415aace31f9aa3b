import {
  type FetchLike,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { OutboundHttp } from '../../../platform/http/outbound-http.js';
import { OutboundError } from '../../../platform/http/outbound-addresses-and-errors.js';
import type { RemoteServer } from '../server-description-and-limits.js';
import type { AnswerMask } from './answer-mask.js';
import { settlesWithin } from './deadlines.js';
import { forClient, withDigits, withMarkedNumbers } from './exact-messages.js';
import { isDeeperThan, MAX_DEPTH, OrderedInbox, PendingIds } from './frames.js';
import {
  brokenStreamAnswer,
  localAnswer,
  McpUnavailable,
  refusedCredentials,
  tooLargeAnswer,
} from './mcp-errors.js';
import { withoutNullFrames, withoutNullMembers } from './null-members.js';
import {
  asRepeat,
  greetsAgain,
  lackOfScope,
  mayBeForgotten,
  refusesSession,
  sessionForgotten,
  speaksOfSession,
  TokenRequests,
} from './lost-sessions-and-refused-tokens.js';

/**
 * MCP over HTTP: the SDK's transports behind the guarded fetch, with what they lack. Messages are delivered in
 * order, a stream that breaks fails its call at once instead of at its time-out, a cancelled call's stream is
 * cut in the old era too, and a lost event stream ends an SSE connection, whose session is gone with it.
 */
export class RemoteTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly hasPerRequestStream?: boolean;
  /** The server does not know the session any more, which its stream of notifications shows. */
  onSessionLost?: () => void;
  /** Why the last request failed, where it did: an event source keeps that to itself. */
  lastFault: McpUnavailable | OutboundError | null = null;

  private readonly inner: StreamableHTTPClientTransport | SSEClientTransport;
  private readonly pending = new PendingIds();
  private readonly streams = new Map<unknown, AbortController>();
  private readonly inbox = new OrderedInbox<JSONRPCMessage>(
    (message) => this.deliver(message),
    (message) => !('id' in message),
  );
  private readonly tokenRequests: TokenRequests | null;
  private started = false;
  private hadNotifications = false;
  private closed = false;

  constructor(
    server: RemoteServer,
    private readonly outbound: OutboundHttp,
    private readonly mask: AnswerMask,
  ) {
    this.tokenRequests = server.tokens ? new TokenRequests(server.tokens, mask) : null;
    const options = {
      fetch: this.guarded,
      requestInit: { headers: server.headers },
      redirectPolicy: 'follow',
    } as const;
    this.inner =
      server.transport === 'http'
        ? new StreamableHTTPClientTransport(new URL(server.url), options)
        : new SSEClientTransport(new URL(server.url), {
            ...options,
            eventSourceInit: { fetch: this.guarded },
          });
    this.hasPerRequestStream = server.transport === 'http' ? true : undefined;
    outbound.onBodyError = (fault) => (this.lastFault = fault);
    this.inner.onmessage = (given) => {
      const message = withoutNullMembers(given);
      if (this.pending.isExpected(message)) this.inbox.push(forClient(this.judged(withinDepth(message))));
    };
    this.inner.onerror = (error) => this.onInnerError(error);
    this.inner.onclose = () => this.finish();
  }

  get sessionId(): string | undefined {
    return this.inner instanceof StreamableHTTPClientTransport ? this.inner.sessionId : undefined;
  }

  /** Whether requests belong to a session that the server may forget. */
  get hasSession(): boolean {
    return this.inner instanceof SSEClientTransport || this.sessionId !== undefined;
  }

  async start(): Promise<void> {
    await this.inner.start();
    this.started = true;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.pending.noteSent(message);
    if (!('method' in message)) return this.innerSend(message, options);
    if (!('id' in message)) {
      // A notification is not repeated. The next request finds out about the session.
      await asRepeat(() => this.innerSend(message, options)).finally(() => this.cutStreamOf(message));
      return;
    }
    const { id } = message;
    const stream = new AbortController();
    this.streams.set(id, stream);
    this.lastFault = null;
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      const broken = this.answerOfBrokenStream(id);
      if (this.pending.isExpected(broken)) this.inbox.push(broken);
    };
    await this.innerSend(message, {
      ...options,
      requestSignal: options?.requestSignal ?? stream.signal,
      onRequestStreamEnd,
    });
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion(version);
  }

  /** Ends the session at the server, for two seconds at most, and closes all connections. */
  async close(): Promise<void> {
    if (this.closed) return;
    if (this.inner instanceof StreamableHTTPClientTransport && this.inner.sessionId !== undefined) {
      await settlesWithin(this.inner.terminateSession(), GOODBYE_MS);
    }
    await this.inner.close();
    this.finish();
    await this.outbound.close();
  }

  private readonly guarded: FetchLike = async (url, init) => {
    const headers = new Headers(init?.headers);
    if (!headers.has('user-agent')) headers.set('user-agent', 'agent-work-platform');
    const isDoubted = init?.method === 'POST' && this.hasSession && mayBeForgotten();
    try {
      const send = (authorization: string | null) => {
        if (authorization !== null) headers.set('authorization', authorization);
        return this.outbound.fetch(url, withDigits({ ...init, headers }));
      };
      const checkSession = async (): Promise<void> => {
        if (isDoubted && headers.has(SESSION_HEADER) && (await greetsAgain(this.outbound, url, headers)))
          throw sessionForgotten('HTTP 401');
      };
      const response = await (this.tokenRequests ? this.tokenRequests.send(send, checkSession) : send(null));
      if (init?.method === 'GET') this.noteNotifications(response);
      if (isDoubted && refusesSession(response.status)) {
        await response.body?.cancel();
        throw sessionForgotten(`HTTP ${response.status}`);
      }
      if (response.status !== 401 && response.status !== 403)
        return withMarkedNumbers(withoutNullFrames(response, () => requestIdIn(init?.body)));
      await response.body?.cancel();
      if (response.status === 401 && !this.tokenRequests) await checkSession();
      throw lackOfScope(response, this.mask) ?? refusedCredentials(response.status);
    } catch (error) {
      if (error instanceof McpUnavailable || error instanceof OutboundError) this.lastFault = error;
      throw error;
    }
  };

  /** A server without such a stream refuses it in every session; one that had it and refuses it now has forgotten this one. */
  private noteNotifications({ ok, status }: Response): void {
    if (this.inner instanceof SSEClientTransport) return;
    if (ok) this.hadNotifications = true;
    else if (this.hadNotifications && (refusesSession(status) || status === 401)) this.onSessionLost?.();
  }

  /** A server may refuse a session by a JSON-RPC error, which is then no answer to the request. */
  private judged(message: JSONRPCMessage): JSONRPCMessage {
    if (!('error' in message) || message.id === undefined) return message;
    const isAboutSession = this.hasSession && mayBeForgotten() && speaksOfSession(message.error);
    return isAboutSession ? localAnswer(message.id, sessionForgotten('a JSON-RPC error')) : message;
  }

  private innerSend(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.inner instanceof StreamableHTTPClientTransport
      ? this.inner.send(message, options)
      : this.inner.send(message);
  }

  private answerOfBrokenStream(id: number | string): JSONRPCErrorResponse {
    const isTooLarge = this.lastFault instanceof OutboundError && this.lastFault.kind === 'too_large';
    return isTooLarge ? tooLargeAnswer(id) : brokenStreamAnswer(id);
  }

  private cutStreamOf(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.requestId;
    this.streams.get(id)?.abort();
    this.streams.delete(id);
  }

  private deliver(message: JSONRPCMessage): void {
    if ('id' in message && !('method' in message)) this.streams.delete(message.id);
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** The event source would connect again by itself, to a new session that knows nothing of this one. */
  private onInnerError(error: Error): void {
    this.onerror?.(error);
    if (this.started && this.inner instanceof SSEClientTransport && error instanceof SseError)
      void this.close();
  }

  private finish(): void {
    if (this.closed) return;
    this.closed = true;
    this.onclose?.();
  }
}

/** Returns the id of a request that was sent, as JSON; null for any other message. */
function requestIdIn(body: unknown): string | null {
  if (typeof body !== 'string') return null;
  const { id, method } = JSON.parse(body) as { id?: unknown; method?: unknown };
  return id === undefined || method === undefined ? null : JSON.stringify(id);
}

/** What nests too deep would overflow the stack of whatever handles it recursively. */
function withinDepth(message: JSONRPCMessage): JSONRPCMessage {
  if (!isDeeperThan(message, MAX_DEPTH) || !('id' in message) || message.id === undefined) return message;
  return tooLargeAnswer(message.id);
}

const GOODBYE_MS = 2_000;
const SESSION_HEADER = 'mcp-session-id';
