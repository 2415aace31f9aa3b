import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import type { Limits } from '../../platform/config/limits-in-bytes-numbers-and-retention.schema.js';
import { Settings } from '../../platform/config/settings.js';
import { AnswerBytes } from '../../platform/http/byte-limits.js';
import { whenClosed } from '../../platform/http/in-flight-connections-and-slow-readers.js';
import { jsonText } from '../../platform/json/exact-json.js';
import type { CallRight } from '../calls/call-rights-and-decisions.service.js';
import { CancelledByClient, type Exchange } from '../calls/exchange.js';
import { ToolCallsService } from '../tool-calls/tool-calls.service.js';
import { IDENTITY, ownErrorOf } from './agent-server-methods.service.js';
import type { AgentSession } from './session-notices-and-questions.js';
import { AgentSessionsService } from './agent-sessions.service.js';
import type { ToolCall } from './client-frame.js';
import { acceptsStream, type ResponseForms, sendSessionNotFound } from './endpoint-http.js';
import { cutProgress } from './progress-relay.js';

/** A call whose caller is authenticated. */
export interface AdmittedCall {
  call: ToolCall;
  agent: AgentPrincipal;
  right: CallRight;
  forms: ResponseForms;
}

/** Runs an admitted call and writes its response, in the way of its protocol era. */
@Injectable()
export class CallExchangesService {
  constructor(
    private readonly calls: ToolCallsService,
    private readonly sessions: AgentSessionsService,
    private readonly settings: Settings,
    private readonly answers: AnswerBytes,
  ) {}

  /** Resolves when the response is written. Never rejects: an error becomes a JSON-RPC error. */
  async serve(admitted: AdmittedCall, { headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { call, agent } = admitted;
    const hungUp = hangUpOf(response);
    if (call.era === 'stateless') {
      const questions = call.answersForms ? ('retry' as const) : undefined;
      return this.run(admitted, response, { signal: hungUp.signal, hungUp, questions });
    }
    const session = await this.sessions.find(String(headers['mcp-session-id']), agent);
    if (!session?.begun) return sendSessionNotFound(response);
    response.setHeader('mcp-session-id', session.id);
    const request = { sessionId: session.id, requestId: call.id };
    await session.run(agent, call.id, (signal) =>
      this.run(admitted, response, { signal, hungUp, request }, session),
    );
  }

  private async run(
    { call, agent, right, forms }: AdmittedCall,
    response: ServerResponse,
    ends: Pick<Exchange, 'signal' | 'hungUp' | 'request' | 'questions'>,
    session?: AgentSession,
  ): Promise<void> {
    const refusedFor = (bytes: number) => this.answers.refusedFor(agent.id, bytes);
    const answer = new CallResponse(response, call, { ...this.settings.limits, refusedFor });
    const { signal } = ends;
    const exchange: Exchange = { ...ends, onProgress: answer.onProgress, task: call.task };
    if (session)
      exchange.session = {
        name: session.name,
        holdsLeases: right.sessions?.includes(session.name) ?? false,
      };
    // A question reaches the client while its call runs, which takes a stream.
    if (session?.answersForms && forms.stream)
      exchange.questions = (params, over) => session.questions.ask((id) => answer.question(id, params), over);
    try {
      const result = await this.calls.call(agent, call.params, exchange, right);
      if (signal.reason instanceof CancelledByClient) answer.drop();
      else answer.result(result);
    } catch (error) {
      if (signal.reason instanceof CancelledByClient) answer.drop();
      else answer.error(ownErrorOf(error, 'tools/call'));
    }
  }
}

/** Aborts when the client closes its connection, which in the stateless era cancels the call, and in a session does not. */
function hangUpOf(response: ServerResponse): AbortController {
  const hungUp = new AbortController();
  whenClosed(response, () => {
    if (!response.writableFinished) hungUp.abort(new CancelledByClient());
  });
  return hungUp;
}

type Loose = Record<string, unknown>;

/** How often a silent response carries a byte that means nothing, so that no proxy and no client gives it up. */
const KEEP_ALIVE_MS = 10_000;

/** The code of errors that JSON-RPC leaves to the service. */
const UNREAD = -32_000;

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
};

/** What bounds the response to one call. */
export interface ResponseLimits extends Pick<Limits, 'mcpNotificationMaxBytes' | 'streamUnreadMaxBytes'> {
  /** Returns how much the agent has left unread where it gets no result of so many bytes; null where it does. */
  refusedFor: (bytes: number) => number | null;
}

/**
 * Writes the response to one tool call: JSON in one piece, or an event stream that ends with the result. A call becomes a
 * stream with its first progress notification, or after 10 seconds where the client accepts one. Other clients get blanks
 * before their JSON meanwhile.
 */
export class CallResponse {
  /** Sends a progress notification; absent where the agent did not ask for progress. */
  readonly onProgress?: (progress: Loose) => void;
  /** The latest progress that waits for the agent to read; earlier progress that waits is out of date. */
  private waiting: string | null = null;
  private isStream = false;
  private readonly keepAlive = setInterval(() => this.sendSign(), KEEP_ALIVE_MS).unref();

  constructor(
    private readonly response: ServerResponse,
    private readonly call: ToolCall,
    private readonly limits: ResponseLimits,
  ) {
    const { progressToken } = call;
    if (progressToken === undefined) return;
    this.onProgress = ({ progress, total, message }) =>
      this.relay({
        progress,
        total,
        message: cutProgress(message, limits.mcpNotificationMaxBytes),
        progressToken,
      });
  }

  /** Sends a question of the server to the client of a session. @returns false where the client has left */
  question(id: string, params: Loose): boolean {
    this.stream(eventOf(jsonText({ jsonrpc: '2.0', id, method: 'elicitation/create', params })));
    return !this.response.destroyed;
  }

  result(result: Loose): void {
    const sent = this.call.era === 'stateless' ? statelessResult(result) : result;
    this.end(200, { result: sent, jsonrpc: '2.0', id: this.call.id });
  }

  error({ code, message, data }: ProtocolError): void {
    const { era, id } = this.call;
    const error = { code, message, ...(data !== undefined && { data }) };
    this.end(era === 'stateless' ? statelessStatusOf(code) : 200, { jsonrpc: '2.0', id, error });
  }

  /** Ends the response without a message, as MCP asks for a request that its client cancelled. */
  drop(): void {
    const { response } = this;
    clearInterval(this.keepAlive);
    if (response.destroyed || response.writableEnded) return;
    if (!response.headersSent) response.writeHead(200, STREAM_HEADERS);
    response.end();
  }

  /** While the agent does not read, one notification waits, so that a server cannot fill the memory with progress. */
  private relay(params: Loose): void {
    const event = eventOf(jsonText({ jsonrpc: '2.0', method: 'notifications/progress', params }));
    if (this.waiting === null && !this.response.writableNeedDrain) return this.stream(event);
    if (this.waiting === null) this.response.once('drain', () => this.sendWaiting());
    this.waiting = event;
  }

  private sendWaiting(): void {
    const event = this.waiting;
    this.waiting = null;
    if (event !== null) this.stream(event);
  }

  private sendSign(): void {
    const { response } = this;
    if (response.destroyed) return clearInterval(this.keepAlive);
    if (this.isStream || acceptsStream(response.req)) return this.stream(': keepalive\n\n');
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/json' });
    response.write(' ');
  }

  private stream(text: string): void {
    const { response } = this;
    if (response.destroyed || response.writableEnded) return;
    if (!response.headersSent) {
      response.writeHead(200, STREAM_HEADERS);
      this.isStream = true;
    }
    // JSON has begun for a client that accepts no stream: it cannot get progress any more.
    if (!this.isStream) return;
    response.write(text);
    // An agent that leaves so much unread is disconnected.
    if (response.writableLength > this.limits.streamUnreadMaxBytes) response.destroy();
  }

  /** The call is made and recorded. Its result is dropped where the agent leaves earlier ones unread. */
  private bounded(message: string): string {
    const unread = this.limits.refusedFor(message.length);
    if (unread === null) return message;
    const text = `The call was made, but you have ${unread} bytes of earlier answers to read, so its result was dropped. Read them, and look at the state before you call again.`;
    return jsonText({ jsonrpc: '2.0', id: this.call.id, error: { code: UNREAD, message: text } });
  }

  private end(status: number, message: Loose): void {
    const { response } = this;
    clearInterval(this.keepAlive);
    if (response.destroyed || response.writableEnded) return;
    const body = this.bounded(jsonText(message));
    if (response.headersSent) {
      this.sendWaiting();
      response.end(this.isStream ? eventOf(body) : body);
      return;
    }
    response.statusCode = status;
    response.setHeader('content-type', 'application/json');
    response.setHeader('content-length', Buffer.byteLength(body));
    // As text in one piece, so that head and body leave in one write.
    response.end(body);
  }
}

function eventOf(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}

/**
 * A result of 2026-07-28 says what it is, and which server it comes from. A complete one has content, which earlier
 * revisions let a server leave out.
 */
function statelessResult(result: Loose): Loose {
  const meta = { ...(result._meta as Loose | undefined), 'io.modelcontextprotocol/serverInfo': IDENTITY };
  const { resultType = 'complete' } = result;
  const lacksContent = resultType === 'complete' && result.content === undefined;
  return { ...result, ...(lacksContent && { content: [] }), resultType, _meta: meta };
}

/** Returns the HTTP status of a JSON-RPC error: 2026-07-28 has one of its own for a capability that the request lacks. */
function statelessStatusOf(code: number): 200 | 400 {
  return code === Number(ProtocolErrorCode.MissingRequiredClientCapability) ? 400 : 200;
}
