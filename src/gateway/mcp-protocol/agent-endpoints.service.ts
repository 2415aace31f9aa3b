import type { IncomingMessage, ServerResponse } from 'node:http';
import { type NodeMcpRequestHandler, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { shareOf } from '../../platform/config/process-roles-and-plan.js';
import { Settings } from '../../platform/config/settings.js';
import { AgentServersService, type PassThroughServer } from './agent-server-methods.service.js';
import { InstructionsService } from './instructions.service.js';

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
  private lastUse = performance.now();
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
      this.lastUse = performance.now();
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

/** An endpoint keeps only subscriptions between requests, so one without any is removed after this time. */
const IDLE_MS = 60_000;

/** The endpoints of agents and leases in the stateless era, created at their first request. */
@Injectable()
export class AgentEndpointsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(AgentEndpointsService.name);
  private readonly endpoints = new Map<string, AgentEndpoint>();
  private sweeper: NodeJS.Timeout | null = null;

  constructor(
    private readonly servers: AgentServersService,
    private readonly instructions: InstructionsService,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeper = setInterval(() => this.sweep(), IDLE_MS);
    this.sweeper.unref();
  }

  beforeApplicationShutdown(): void {
    if (this.sweeper) clearInterval(this.sweeper);
    for (const endpoint of this.endpoints.values()) endpoint.closeWhenQuiet();
  }

  of(agent: AgentPrincipal): AgentEndpoint {
    const holder = holderOf(agent);
    const known = this.endpoints.get(holder);
    if (known) return known;
    const endpoint = this.make(agent);
    this.endpoints.set(holder, endpoint);
    return endpoint;
  }

  /** Returns the endpoints of this agent and of its leases. */
  allOf(agentId: string): AgentEndpoint[] {
    return [...this.endpoints].flatMap(([holder, endpoint]) =>
      holder.startsWith(agentId) ? [endpoint] : [],
    );
  }

  /** Returns all open streams of change notifications. */
  subscriptions(): Subscription[] {
    return [...this.endpoints.values()].flatMap((endpoint) => [...endpoint.subscriptions]);
  }

  private make(agent: AgentPrincipal): AgentEndpoint {
    return new AgentEndpoint(
      agent,
      async (caller, greets) =>
        this.servers.serverFor(caller, greets ? await this.instructions.for(caller()) : undefined),
      (fault) => this.log.debug(fault.message),
      shareOf(this.settings.limits.mcpSessionsPerAgent, this.settings.apis),
    );
  }

  private sweep(): void {
    for (const [holder, { idleSince }] of this.endpoints)
      if (idleSince !== null && performance.now() - idleSince > IDLE_MS) this.endpoints.delete(holder);
  }
}

function holderOf({ id, lease }: AgentPrincipal): string {
  return lease ? `${id} ${lease.issueId} ${lease.token}` : id;
}
