import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ProcessNews } from '../../../mcp/installed-servers/running/process-news.js';
import { scopeOf } from '../../../mcp/installed-servers/running/scope.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import type { Exchange } from '../calls/exchange.js';
import { Resources } from '../lists/resources.js';
import { ServerRequests } from '../lists/server-requests.js';
import type { Answer } from '../protocol/methods.js';
import type { AgentSession, WatchedResource } from './agent-session.js';

type Loose = Record<string, unknown>;

/**
 * Subscriptions of sessions to single resources (2025-11-25 and before). A server is subscribed to once for all who
 * share its process, so here is kept who wants to hear of what; each change is told only to those who may still use
 * the server. One that is started anew has forgotten its subscribers: they are entered again, and told, since what
 * changed meanwhile nobody knows.
 */
@Injectable()
export class ResourceSubscriptions implements OnApplicationBootstrap {
  private readonly watching = new Set<AgentSession>();

  constructor(
    private readonly resources: Resources,
    private readonly requests: ServerRequests,
    private readonly news: ProcessNews,
  ) {}

  onApplicationBootstrap(): void {
    this.news.resourceUpdated.subscribe((updated) => void this.tell(updated));
    this.news.listChanged.subscribe(({ serverId, what }) => {
      if (what === 'tools') void this.enterAgain(serverId);
    });
  }

  /** What the session can be asked of this. */
  answersFor(session: AgentSession): Record<string, Answer> {
    return {
      'resources/subscribe': (agent, params, exchange) => this.subscribe(session, agent, params, exchange),
      'resources/unsubscribe': (agent, params, exchange) =>
        this.unsubscribe(session, agent, params, exchange),
    };
  }

  /** The session has ended. */
  drop(session: AgentSession): void {
    this.watching.delete(session);
  }

  private async subscribe(
    session: AgentSession,
    agent: AgentPrincipal,
    params: Loose,
    exchange: Exchange,
  ): Promise<Loose> {
    const { server, uri } = await this.resources.find(agent, params.uri);
    const result = await this.requests.pass(
      agent,
      server,
      'resources/subscribe',
      { ...params, uri },
      exchange,
    );
    const scope = scopeOf(server.sharing, agent.id);
    session.watched.set(String(params.uri), { serverId: server.serverId, scope, uri });
    this.watching.add(session);
    return result;
  }

  private async unsubscribe(
    session: AgentSession,
    agent: AgentPrincipal,
    params: Loose,
    exchange: Exchange,
  ): Promise<Loose> {
    const { server, uri } = await this.resources.find(agent, params.uri);
    const watched = session.watched.get(String(params.uri));
    session.watched.delete(String(params.uri));
    if (watched && this.watchers(watched).length > 0) return {};
    return this.requests.pass(agent, server, 'resources/unsubscribe', { ...params, uri }, exchange);
  }

  private async tell(updated: WatchedResource): Promise<void> {
    await Promise.all(
      this.watchers(updated).map(async ({ session, address }) => {
        if (await this.mayUse(session, address)) await session.tellUpdated(address);
      }),
    );
  }

  private async enterAgain(serverId: string): Promise<void> {
    for (const session of this.watching)
      for (const [address, watched] of session.watched)
        if (watched.serverId === serverId) await this.enter(session, address).catch(() => undefined);
  }

  private async enter(session: AgentSession, address: string): Promise<void> {
    const { server, uri } = await this.resources.find(session.agent, address);
    await this.requests.pass(session.agent, server, 'resources/subscribe', { uri }, FOR_ITSELF());
    await session.tellUpdated(address);
  }

  private watchers({ serverId, scope, uri }: WatchedResource): { session: AgentSession; address: string }[] {
    return [...this.watching].flatMap((session) =>
      [...session.watched]
        .filter(([, one]) => one.serverId === serverId && one.scope === scope && one.uri === uri)
        .map(([address]) => ({ session, address })),
    );
  }

  private async mayUse({ agent }: AgentSession, address: string): Promise<boolean> {
    return this.resources.find(agent, address).then(
      () => true,
      () => false,
    );
  }
}

/** A request of the service's own, which nobody cancels; the time-outs of a call end it. */
const FOR_ITSELF = (): Exchange => ({ signal: new AbortController().signal });
