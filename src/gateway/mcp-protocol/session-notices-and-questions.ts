import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { whenClosed } from '../../platform/http/in-flight-connections-and-slow-readers.js';
import { type ExactNumber, withMarks, withNumbers } from '../../platform/json/exact-json.js';
import { CancelledByClient } from '../calls/exchange.js';
import { sessionName } from '../../work/leases/mcp-leases.service.js';
import { declaresForms } from '../calls/request-meta-and-task-wish.js';
import type { PassThroughServer } from './agent-server-methods.service.js';
import type { SessionClaims } from './session-ids.service.js';
import type { QuestionAnswer, SessionElsewhere, WatchedResource } from './session-relay.service.js';

type Loose = Record<string, unknown>;
type LogParams = Parameters<PassThroughServer['sendLoggingMessage']>[0];

/** A client is told at once that something of a server has changed, and then at most this often (contract §7.4). */
export const NOTICE_PAUSE_MS = 1_000;
/** The answer for the server where the client gives none. */
const CANCELLED = { action: 'cancel' };

/** The questions that the client of a session has been asked and has not answered. */
export class ClientQuestions {
  private readonly open = new Map<string, (answer: Loose) => void>();

  /**
   * Asks the client, and returns its answer. A client that responds with an error answers nothing.
   * @param send writes the request with this id into the stream of its call; false where the client has left
   */
  async ask(send: (id: string) => boolean, over: AbortSignal): Promise<Loose> {
    if (over.aborted) return CANCELLED;
    // Other processes ask in the same session.
    const id = `question-${randomUUID()}`;
    const answer = new Promise<Loose>((resolve) => {
      this.open.set(id, resolve);
      over.addEventListener('abort', () => resolve(CANCELLED), { once: true });
    });
    if (!send(id)) this.open.get(id)?.(CANCELLED);
    return answer.finally(() => this.open.delete(id));
  }

  /**
   * Takes the response of the client to a question.
   * @param message any message of the client
   * @returns the response where another process may have asked the question
   */
  take(message: unknown): QuestionAnswer | null {
    const { id, method, result } = (message ?? {}) as { id?: unknown; method?: unknown; result?: unknown };
    if (method !== undefined || typeof id !== 'string') return null;
    const answer = { question: id, result: isObject(result) ? result : null };
    return this.answer(answer) || !QUESTION.test(id) ? null : answer;
  }

  /** Answers a question with what the client, or another process that it told, responded. False where it is not open here. */
  answer({ question, result }: QuestionAnswer): boolean {
    const settle = this.open.get(question);
    settle?.(result === null ? CANCELLED : withNumbers(result));
    return settle !== undefined;
  }
}

const QUESTION = /^question-[\da-f-]{36}$/;

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;

const nothing = () => Promise.resolve();
const NOWHERE: SessionElsewhere = { cancel: nothing, answer: nothing, stream: nothing };

/**
 * One session of the protocol's old era (2025-11-25 and before). It belongs to one agent. It ends when the client deletes
 * it, when it stays unused, when another one needs its place, or with the key that it was last used with. Except after a
 * deletion, the next request with its id revives it.
 */
export class AgentSession {
  /** Settles when the session has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** The name under which it holds leases. */
  readonly name: string;
  private readonly transport: NodeStreamableHTTPServerTransport;
  private readonly server: PassThroughServer;
  /** The tool calls that are running, by the id of their request. */
  private readonly calls = new Map<unknown, AbortController>();
  /** The resources whose changes the client subscribed to, by the address under which the agent knows them. */
  readonly watched = new Map<string, WatchedResource>();
  /** What servers ask the client while its calls run. */
  readonly questions = new ClientQuestions();
  private open = 0;
  private lastUse = performance.now();
  private deleted = false;
  /** The agent's lists may have changed before the session was revived; its first stream says so. */
  private mayHaveMissedChanges = false;

  /**
   * @param makeServer is given this session, whose `agent` is the caller of the request at hand
   * @param elsewhere never rejects
   */
  constructor(
    readonly id: string,
    public agent: AgentPrincipal,
    makeServer: (session: AgentSession) => PassThroughServer,
    frameMaxBytes: number,
    private readonly elsewhere: SessionElsewhere = NOWHERE,
  ) {
    this.name = sessionName(id);
    this.server = makeServer(this);
    this.transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      onsessionclosed: () => void (this.deleted = true),
      maxRequestBodySize: frameMaxBytes,
    });
    this.ended = new Promise((resolve) => {
      // The SDK itself closes a session that its client deletes.
      this.server.onclose = () => {
        for (const abort of this.calls.values()) abort.abort();
        resolve();
      };
    });
  }

  async start(): Promise<void> {
    await this.server.connect(this.transport);
  }

  /**
   * Brings the session into the state that it had after `initialize`. The SDK has no other way into that state than the
   * request, and its transport for Node takes requests from a socket only, so the one inside is given the request.
   */
  async revive({ protocolVersion, capabilities }: SessionClaims): Promise<void> {
    await this.start();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const params = { protocolVersion, capabilities, clientInfo: { name: 'revived', version: '0' } };
    const answer = await this.transport['_webStandardTransport'].handleRequest(
      new Request('http://localhost/mcp', { method: 'POST', headers }),
      { parsedBody: { jsonrpc: '2.0', id: 0, method: 'initialize', params } },
    );
    await answer.text();
    this.mayHaveMissedChanges = true;
  }

  /** False while no `initialize` was accepted: without one there is no session. */
  get begun(): boolean {
    return this.transport.sessionId !== undefined;
  }

  /** Whether the client declares that it answers forms. */
  get answersForms(): boolean {
    return declaresForms({ ...this.server.getClientCapabilities() });
  }

  /** True when its client has deleted it. */
  get isDeleted(): boolean {
    return this.deleted;
  }

  /** Since when no request and no stream of it is open, in milliseconds; null while one is. */
  get idleSince(): number | null {
    return this.open === 0 ? this.lastUse : null;
  }

  /** How much its end would interrupt: 0 nothing, 1 a stream or another request, 2 a tool call. */
  get burden(): 0 | 1 | 2 {
    if (this.calls.size > 0) return 2;
    return this.open === 0 ? 0 : 1;
  }

  /** When it was used last, whatever is open now. */
  get usedAt(): number {
    return this.lastUse;
  }

  /** @param frame the parsed body of a POST */
  async serve(
    agent: AgentPrincipal,
    request: IncomingMessage,
    response: ServerResponse,
    frame: unknown,
  ): Promise<void> {
    this.begin(agent);
    for (const message of Array.isArray(frame) ? frame : [frame]) {
      await this.cancelCall(message);
      const answer = this.questions.take(message);
      if (answer) await this.elsewhere.answer(answer);
    }
    if (request.method === 'GET') await this.elsewhere.stream();
    const closed = new Promise<void>((resolve) => whenClosed(response, resolve));
    try {
      const served = this.transport.handleRequest(request, response, frame);
      if (request.method === 'GET') this.tellMissedChanges();
      await served;
      await closed;
    } finally {
      this.finish();
    }
  }

  /** Runs a tool call in the session; `signal` is aborted when the client cancels the call or the session ends. */
  async run(
    agent: AgentPrincipal,
    id: string | number | ExactNumber,
    call: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const abort = new AbortController();
    // The SDK's frames have marks.
    const known = withMarks(id);
    this.calls.set(known, abort);
    this.begin(agent);
    try {
      await call(abort.signal);
    } finally {
      this.finish();
      if (this.calls.get(known) === abort) this.calls.delete(known);
    }
  }

  /** Notifies the client over the session's stream, where it has opened one. */
  async tellChanged(list: 'tools' | 'prompts' | 'resources'): Promise<void> {
    const telling = {
      tools: () => this.server.sendToolListChanged(),
      prompts: () => this.server.sendPromptListChanged(),
      resources: () => this.server.sendResourceListChanged(),
    };
    // A session that ends meanwhile has no client left to notify.
    await telling[list]().catch(() => undefined);
  }

  /** Notifies the client that one resource has changed; `uri` is its address. */
  async tellUpdated(uri: string): Promise<void> {
    // A session that ends meanwhile has no client left to notify.
    await this.server.sendResourceUpdated({ uri }).catch(() => undefined);
  }

  /** Passes on what a server has logged. */
  async tellLogged(params: LogParams): Promise<void> {
    // A session that ends meanwhile has no client left to notify.
    await this.server.sendLoggingMessage(withMarks(params)).catch(() => undefined);
  }

  /** Ends the stream of notifications, which otherwise keeps a connection open; running calls continue. */
  endNotices(): void {
    this.transport.closeStandaloneSSEStream();
  }

  /** Ends the session and everything that runs in it. */
  async end(): Promise<void> {
    await this.server.close();
  }

  /** The stream exists once the transport has gone through its promises; without one the notification goes nowhere. */
  private tellMissedChanges(): void {
    if (!this.mayHaveMissedChanges) return;
    this.mayHaveMissedChanges = false;
    setImmediate(() => void this.tellChanged('tools'));
  }

  private begin(agent: AgentPrincipal): void {
    this.agent = agent;
    this.lastUse = performance.now();
    this.open += 1;
  }

  private finish(): void {
    this.open -= 1;
    this.lastUse = performance.now();
  }

  private async cancelCall(message: unknown): Promise<void> {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { requestId?: unknown } };
    if (method !== 'notifications/cancelled') return;
    const requestId = params?.requestId;
    if (!this.cancel(requestId) && (typeof requestId === 'string' || typeof requestId === 'number'))
      await this.elsewhere.cancel({ sessionId: this.id, requestId });
  }

  /** Cancels a request as its client wished in another process. The SDK runs those that are no tool call or are in a batch. */
  cancelledElsewhere(requestId: string | number): void {
    if (this.cancel(requestId)) return;
    this.transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }

  /** Cancels a tool call. False where it does not run here. */
  private cancel(requestId: unknown): boolean {
    const running = this.calls.get(requestId);
    running?.abort(new CancelledByClient());
    return running !== undefined;
  }
}
