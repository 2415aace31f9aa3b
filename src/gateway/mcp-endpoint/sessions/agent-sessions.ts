import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { Settings } from '../../../platform/config/settings.js';
import { AgentServers } from '../protocol/agent-servers.js';
import { AgentSession } from './agent-session.js';
import { ResourceSubscriptions } from './resource-subscriptions.js';

/** How often idle sessions are looked for, at most. */
const SWEEP_MS = 30_000;

/** Beyond these the one that was unused longest gives way, an agent's own first. */
const MOST_PER_AGENT = 64;
const MOST = 4_096;

/**
 * The sessions of the protocol's old era in this process. Clients often never say that they have gone: one without
 * an open request ends after `MCP_SESSION_IDLE_SECONDS`.
 */
@Injectable()
export class AgentSessions implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sessions = new Map<string, AgentSession>();
  private sweeper: NodeJS.Timeout | null = null;

  private readonly idleMs: number;

  constructor(
    private readonly servers: AgentServers,
    private readonly subscriptions: ResourceSubscriptions,
    { mcpSessionIdleSeconds }: Settings,
  ) {
    this.idleMs = mcpSessionIdleSeconds * 1_000;
  }

  onApplicationBootstrap(): void {
    this.sweeper = setInterval(() => this.sweep(), Math.min(SWEEP_MS, this.idleMs));
    this.sweeper.unref();
  }

  /** Calls under way are finished elsewhere within the time that is left; streams without an end would never be. */
  beforeApplicationShutdown(): void {
    if (this.sweeper) clearInterval(this.sweeper);
    for (const session of this.sessions.values()) session.endNotices();
  }

  /** @param instructions what the agent's model is told at the greeting */
  async open(agent: AgentPrincipal, instructions: string): Promise<AgentSession> {
    await this.makeRoom(agent.id);
    const session = new AgentSession(agent, (made) =>
      this.servers.serverFor(() => made.agent, instructions, this.subscriptions.answersFor(made)),
    );
    this.sessions.set(session.id, session);
    void this.forgetOnceEnded(session);
    await session.start();
    return session;
  }

  /** null for an id that means nothing, or belongs to another agent: both look the same. */
  find(id: string, agent: AgentPrincipal): AgentSession | null {
    const session = this.sessions.get(id);
    return session?.agent.id === agent.id ? session : null;
  }

  of(agentId: string): AgentSession[] {
    return this.all().filter(({ agent }) => agent.id === agentId);
  }

  all(): AgentSession[] {
    return [...this.sessions.values()];
  }

  private async forgetOnceEnded(session: AgentSession): Promise<void> {
    await session.ended;
    this.sessions.delete(session.id);
    this.subscriptions.drop(session);
  }

  private async makeRoom(agentId: string): Promise<void> {
    const own = this.of(agentId);
    if (own.length >= MOST_PER_AGENT) await longestUnused(own).end();
    else if (this.sessions.size >= MOST) await longestUnused(this.all()).end();
  }

  private sweep(): void {
    for (const session of this.sessions.values()) {
      const { idleSince } = session;
      if (idleSince !== null && Date.now() - idleSince > this.idleMs) void session.end();
    }
  }
}

function longestUnused(sessions: AgentSession[]): AgentSession {
  return sessions.reduce((oldest, session) => (session.usedAt < oldest.usedAt ? session : oldest));
}
