import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { Settings } from '../../../platform/config/settings.js';
import { InstructionsService } from '../instructions.service.js';
import { AgentServersService } from '../protocol/agent-servers.service.js';
import { AgentEndpoint, type Subscription } from './agent-endpoint.js';

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
      this.settings.limits.mcpSessionsPerAgent,
    );
  }

  private sweep(): void {
    for (const [holder, { idleSince }] of this.endpoints)
      if (idleSince !== null && Date.now() - idleSince > IDLE_MS) this.endpoints.delete(holder);
  }
}

function holderOf({ id, lease }: AgentPrincipal): string {
  return lease ? `${id} ${lease.issueId} ${lease.token}` : id;
}
