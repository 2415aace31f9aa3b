import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler, type NodeMcpRequestHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import type { PassThroughServer } from '../protocol/pass-through-server.js';

/** Makes a server for one request. `greets` is true when the response contains instructions. */
export type ServerMaker = (agent: () => AgentPrincipal, greets: boolean) => Promise<PassThroughServer>;

/** An open stream of change notifications, and who opened it, with which key. */
export interface Subscription {
  agent: AgentPrincipal;
  end(): void;
}

/**
 * The endpoint of one agent, or of one of its leases, in the stateless era (2026-07-28). The SDK's handler has one event bus, so each agent has
 * a handler of its own: a shared one would notify every agent of every grant.
 */
export class AgentEndpoint {
  readonly subscriptions = new Set<Subscription>();
  private readonly handler: McpHttpHandler;
  private readonly toNode: NodeMcpRequestHandler;
  private exchanges = 0;
  private lastUse = Date.now();
  private closing = false;

  constructor(
    private agent: AgentPrincipal,
    makeServer: ServerMaker,
    onFault: (fault: Error) => void,
    maxSubscriptions: number,
  ) {
    this.handler = createMcpHandler(
      ({ requestInfo }) =>
        makeServer(() => this.agent, requestInfo?.headers.get('mcp-method') === 'server/discover'),
      { legacy: 'reject', onerror: onFault, maxSubscriptions },
    );
    this.toNode = toNodeHandler(this.handler, { onerror: onFault });
  }

  /** Since when nothing of it is open, in milliseconds; null while something is. */
  get idleSince(): number | null {
    return this.exchanges + this.subscriptions.size === 0 ? this.lastUse : null;
  }

  async serve(
    agent: AgentPrincipal,
    request: IncomingMessage,
    response: ServerResponse,
    frame: unknown,
  ): Promise<void> {
    this.agent = agent;
    const subscription = isSubscription(frame) ? { agent, end: () => response.destroy() } : null;
    if (subscription) this.subscriptions.add(subscription);
    else this.exchanges += 1;
    try {
      await this.toNode(request, response, frame);
    } finally {
      if (subscription) this.subscriptions.delete(subscription);
      else this.exchanges -= 1;
      this.lastUse = Date.now();
      if (this.closing) this.closeWhenQuiet();
    }
  }

  tellChanged(list: 'tools' | 'prompts' | 'resources'): void {
    const { notify } = this.handler;
    const telling = {
      tools: notify.toolsChanged,
      prompts: notify.promptsChanged,
      resources: notify.resourcesChanged,
    };
    telling[list].call(notify);
  }

  /** Ends the subscriptions, which have no end of their own, once no exchange is under way: the SDK ends both together. */
  closeWhenQuiet(): void {
    this.closing = true;
    if (this.exchanges === 0) void this.handler.close();
  }
}

export function isSubscription(frame: unknown): boolean {
  return (
    typeof frame === 'object' &&
    frame !== null &&
    'method' in frame &&
    frame.method === 'subscriptions/listen'
  );
}
