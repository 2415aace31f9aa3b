import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { FRAME_LIMIT } from '../protocol/frame.js';
import type { PassThroughServer } from '../protocol/pass-through-server.js';

/** A resource as its server knows it, in the process that this agent talks to. */
export interface WatchedResource {
  serverId: string;
  scope: string;
  uri: string;
}

/**
 * One session of the protocol's old era (2025-11-25 and before): from `initialize` until the client deletes it,
 * it stays unused for long, or its agent's right ends. It belongs to the agent, and to the key, that opened it.
 */
export class AgentSession {
  readonly id = randomUUID();
  /** Settles when the session has ended, for whatever reason. */
  readonly ended: Promise<void>;
  private readonly transport: NodeStreamableHTTPServerTransport;
  private readonly server: PassThroughServer;
  /** Calls that are answered without the transport, by the id of their request. */
  private readonly directCalls = new Map<unknown, AbortController>();
  /** The resources whose changes it wants to hear of, by the address that it knows them by. */
  readonly watched = new Map<string, WatchedResource>();
  private open = 0;
  private lastUse = Date.now();

  /** @param makeServer is given this session, whose `agent` is who asks at the moment */
  constructor(
    public agent: AgentPrincipal,
    makeServer: (session: AgentSession) => PassThroughServer,
  ) {
    this.server = makeServer(this);
    this.transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      maxRequestBodySize: FRAME_LIMIT,
    });
    this.ended = new Promise((resolve) => {
      this.server.onclose = resolve;
    });
  }

  async start(): Promise<void> {
    await this.server.connect(this.transport);
  }

  /** False while no `initialize` was accepted: without one there is no session. */
  get begun(): boolean {
    return this.transport.sessionId !== undefined;
  }

  /** Since when no request and no stream of it is open, in milliseconds; null while one is. */
  get idleSince(): number | null {
    return this.open === 0 ? this.lastUse : null;
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
    this.cancelDirect(frame);
    this.begin(agent);
    const closed = new Promise((resolve) =>
      response.closed ? resolve(null) : response.once('close', resolve),
    );
    try {
      await this.transport.handleRequest(request, response, frame);
      await closed;
    } finally {
      this.finish();
    }
  }

  /** A call that is answered without the transport; `signal` tells when its client cancels it or the session ends. */
  async direct(
    agent: AgentPrincipal,
    id: string | number,
    call: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const abort = new AbortController();
    this.directCalls.set(id, abort);
    this.begin(agent);
    try {
      await call(abort.signal);
    } finally {
      this.finish();
      this.directCalls.delete(id);
    }
  }

  /** The key that it was opened with, or used with last. */
  get keyId(): string {
    return this.agent.keyId;
  }

  /** Over the stream of notices, if the client has opened one. */
  async tellChanged(list: 'tools' | 'prompts' | 'resources'): Promise<void> {
    const telling = {
      tools: () => this.server.sendToolListChanged(),
      prompts: () => this.server.sendPromptListChanged(),
      resources: () => this.server.sendResourceListChanged(),
    };
    await telling[list]().catch(() => undefined);
  }

  /** The same of one resource, by its address. */
  async tellUpdated(uri: string): Promise<void> {
    await this.server.sendResourceUpdated({ uri }).catch(() => undefined);
  }

  /** Ends the stream of notices, which otherwise keeps a connection open; calls under way go on. */
  endNotices(): void {
    this.transport.closeStandaloneSSEStream();
  }

  /** Ends it with everything under way; its id means nothing from now on. */
  async end(): Promise<void> {
    for (const abort of this.directCalls.values()) abort.abort();
    await this.server.close();
  }

  private begin(agent: AgentPrincipal): void {
    this.agent = agent;
    this.lastUse = Date.now();
    this.open += 1;
  }

  private finish(): void {
    this.open -= 1;
    this.lastUse = Date.now();
  }

  private cancelDirect(frame: unknown): void {
    const { method, params } = (frame ?? {}) as { method?: unknown; params?: { requestId?: unknown } };
    if (method === 'notifications/cancelled') this.directCalls.get(params?.requestId)?.abort();
  }
}
