import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { scopeOf } from '../../mcp/processes/server-description-and-limits.js';
import { ToolsHostsClient } from '../../mcp/tools-hosts/tools-hosts-and-internal-keys.client.js';
import { ProcessEventsService } from '../../mcp/server-processes/supervisor-sandbox-and-sweep.provider.js';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Coalesced } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import type { Answer, Exchange } from '../calls/exchange.js';
import { type AgentSession, NOTICE_PAUSE_MS } from './session-notices-and-questions.js';
import { SessionRelayService, type WatchedResource } from './session-relay.service.js';
import {
  ResourcesService,
  ServerRequestsService,
} from '../server-offers/prompts-resources-completions.service.js';

type Loose = Record<string, unknown>;

const MOST_WATCHED = 256;
const MOST_ADDRESS_BYTES = 32_768;

/**
 * Subscriptions of sessions to single resources (2025-11-25 and before). A server has one subscription for all sessions
 * that share its process, so this service keeps the subscriptions of the sessions. Only sessions whose agent may still
 * use the server are notified of a change. A restarted server has lost its subscriptions: they are made again, and the
 * sessions are notified, because changes may have been missed.
 */
@Injectable()
export class ResourceSubscriptionsService implements OnApplicationBootstrap {
  private readonly watching = new Set<AgentSession>();
  /** A server may send thousands of notifications per second, and each costs a statement and bytes of every stream. */
  private readonly notices = new Coalesced(NOTICE_PAUSE_MS);

  constructor(
    private readonly resources: ResourcesService,
    private readonly requests: ServerRequestsService,
    private readonly processEvents: ProcessEventsService,
    private readonly relay: SessionRelayService,
    private readonly hosts: ToolsHostsClient,
  ) {}

  onApplicationBootstrap(): void {
    this.processEvents.resourceUpdated.subscribe((updated) => {
      const { serverId, scope, uri } = updated;
      if (this.watchers(updated).length > 0)
        this.notices.run(`${serverId} ${scope} ${uri}`, () => void this.tell(updated));
    });
    this.processEvents.started.subscribe(({ serverId }) => void this.enterAgain(serverId));
  }

  /** Returns the methods that a session supports for this. */
  answersFor(session: AgentSession): Record<string, Answer> {
    return {
      'resources/subscribe': (agent, params, exchange) => this.subscribe(session, agent, params, exchange),
      'resources/unsubscribe': (agent, params, exchange) =>
        this.unsubscribe(session, agent, params, exchange),
    };
  }

  /** Takes over what the session subscribed to, or no longer, in another process. Its stream may be in this one. */
  learn(session: AgentSession, resources: [string, WatchedResource | null][]): void {
    for (const [address, resource] of resources)
      if (resource) session.watched.set(address, resource);
      else session.watched.delete(address);
    this.watching.add(session);
  }

  tellElsewhere({ name }: AgentSession, resources: [string, WatchedResource | null][]): Promise<void> {
    return resources.length === 0
      ? Promise.resolve()
      : this.relay.tell({ kind: 'watched', session: name, resources });
  }

  /** Removes a session that has ended. */
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
    const address = String(params.uri);
    requireRoom(session, address);
    const result = await this.requests.pass(
      agent,
      server,
      'resources/subscribe',
      { ...params, uri },
      exchange,
    );
    // Again, for those that were requested together.
    requireRoom(session, address);
    const watched = { serverId: server.serverId, scope: scopeOf(server, agent.id), uri };
    session.watched.set(address, watched);
    this.watching.add(session);
    await this.tellElsewhere(session, [[address, watched]]);
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
    await this.tellElsewhere(session, [[String(params.uri), null]]);
    // Where servers run in another process, sessions of further processes may share the subscription.
    if (this.hosts.isNeeded || (watched && this.watchers(watched).length > 0)) return {};
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
        // A subscription that fails now is made again after the next start of the server.
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
      // Any error means that the agent cannot use the server now.
      () => false,
    );
  }
}

/** The exchange of a request of the service's own, which is never cancelled. The time-outs of a call end it. */
const FOR_ITSELF = (): Exchange => ({ signal: new AbortController().signal });

/** The session keeps the addresses for as long as it lives. @throws {ProtocolError} when it would have too many */
function requireRoom({ watched }: AgentSession, address: string): void {
  const addresses = new Set(watched.keys()).add(address);
  const bytes = [...addresses].reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  if (addresses.size <= MOST_WATCHED && bytes <= MOST_ADDRESS_BYTES) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `A session may subscribe to ${MOST_WATCHED} resources, whose addresses have ${MOST_ADDRESS_BYTES} bytes together. Unsubscribe from some first.`,
  );
}
