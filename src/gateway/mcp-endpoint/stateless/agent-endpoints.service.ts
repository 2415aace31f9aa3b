import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { InstructionsService } from '../instructions.service.js';
import { AgentServersService } from '../protocol/agent-servers.service.js';
import { AgentEndpoint, type Subscription } from './agent-endpoint.js';

/** An endpoint keeps only subscriptions between requests, so one without any is removed after this time. */
const IDLE_MS = 60_000;

/** The agents' endpoints in the stateless era, created at their first request. */
@Injectable()
export class AgentEndpointsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(AgentEndpointsService.name);
  private readonly endpoints = new Map<string, AgentEndpoint>();
  private sweeper: NodeJS.Timeout | null = null;

  constructor(
    private readonly servers: AgentServersService,
    private readonly instructions: InstructionsService,
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
    const known = this.endpoints.get(agent.id);
    if (known) return known;
    const endpoint = this.make(agent);
    this.endpoints.set(agent.id, endpoint);
    return endpoint;
  }

  find(agentId: string): AgentEndpoint | undefined {
    return this.endpoints.get(agentId);
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
    );
  }

  private sweep(): void {
    for (const [agentId, { idleSince }] of this.endpoints)
      if (idleSince !== null && Date.now() - idleSince > IDLE_MS) this.endpoints.delete(agentId);
  }
}
