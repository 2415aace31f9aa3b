import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler, type NodeMcpRequestHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpHttpHandler, type ServerNotifier } from '@modelcontextprotocol/server';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import type { PassThroughServer } from '../protocol/pass-through-server.js';

/** Subscriptions that one agent may hold open at once. */
const MOST_SUBSCRIPTIONS = 64;

/** What makes a server for one request; `greets` where the answer tells instructions. */
export type ServerMaker = (agent: () => AgentPrincipal, greets: boolean) => Promise<PassThroughServer>;

/**
 * One agent's endpoint in the stateless era (2026-07-28). The SDK's handler has one event bus, so each agent has
 * a handler of its own: a shared one would tell every agent of every grant.
 */
export class AgentEndpoint {
  private readonly handler: McpHttpHandler;
  private readonly toNode: NodeMcpRequestHandler;
  private subscriptions = 0;
  private exchanges = 0;
  private lastUse = Date.now();
  private closing = false;

  constructor(
    private agent: AgentPrincipal,
    makeServer: ServerMaker,
    onFault: (fault: Error) => void,
  ) {
    this.handler = createMcpHandler(
      ({ requestInfo }) => makeServer(() => this.agent, requestInfo?.headers.get('mcp-method') === 'server/discover'),
      { legacy: 'reject', onerror: onFault, maxSubscriptions: MOST_SUBSCRIPTIONS },
    );
    this.toNode = toNodeHandler(this.handler, { onerror: onFault });
  }

  get notify(): ServerNotifier {
    return this.handler.notify;
  }

  /** Since when nothing of it is open, in milliseconds; null while something is. */
  get idleSince(): number | null {
    return this.exchanges + this.subscriptions === 0 ? this.lastUse : null;
  }

  async serve(agent: AgentPrincipal, request: IncomingMessage, response: ServerResponse, frame: unknown): Promise<void> {
    this.agent = agent;
    const kind = isSubscription(frame) ? 'subscriptions' : 'exchanges';
    this[kind] += 1;
    try {
      await this.toNode(request, response, frame);
    } finally {
      this[kind] -= 1;
      this.lastUse = Date.now();
      if (this.closing) this.closeWhenQuiet();
    }
  }

  /** Ends the subscriptions, which have no end of their own, once no exchange is under way: the SDK ends both together. */
  closeWhenQuiet(): void {
    this.closing = true;
    if (this.exchanges === 0) void this.handler.close();
  }
}

function isSubscription(frame: unknown): boolean {
  return typeof frame === 'object' && frame !== null && 'method' in frame && frame.method === 'subscriptions/listen';
}
