import { createHash } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Raw, Repository } from 'typeorm';
import { type OfferedServer, ToolAccessService } from '../../mcp/access/tool-access.service.js';
import { ProcessEventsService } from '../../mcp/server-processes/supervisor-sandbox-and-sweep.provider.js';
import { ApiKey } from '../../platform/authentication/authentication.entities.js';
import { Coalesced } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import {
  JournalFollowerWorker,
  type JournalSubscription,
  type JournalUpdate,
} from '../../platform/journal/journal-follower-and-subscriptions.worker.js';
import { jsonText } from '../../platform/json/exact-json.js';
import { LeaseStandingsRepository } from '../calls/lease-standings-and-refusals.service.js';
import { ServerListsService } from '../server-offers/prompts-resources-completions.service.js';
import { AgentEndpointsService } from './agent-endpoints.service.js';
import { AgentSessionsService } from './agent-sessions.service.js';
import { NOTICE_PAUSE_MS } from './session-notices-and-questions.js';

export type List = 'tools' | 'prompts' | 'resources';

/** The agents that are connected to this process, in either era of the protocol. */
@Injectable()
export class ConnectedAgentsService {
  constructor(
    private readonly sessions: AgentSessionsService,
    private readonly endpoints: AgentEndpointsService,
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly standings: LeaseStandingsRepository,
  ) {}

  listens(agentId: string): boolean {
    return (
      this.sessions.of(agentId).length > 0 ||
      this.endpoints.allOf(agentId).some(({ subscriptions }) => subscriptions.size > 0)
    );
  }

  /** Notifies all sessions and subscriptions of this agent that the list has changed. */
  notify(agentId: string, list: List): void {
    for (const session of this.sessions.of(agentId)) void session.tellChanged(list);
    for (const endpoint of this.endpoints.allOf(agentId)) endpoint.tellChanged(list);
  }

  /** Ends the streams that were opened with a key that is no longer valid: a right that ended must not live on in one. */
  async dropInvalid(): Promise<void> {
    const open = [...this.sessions.all(), ...this.endpoints.subscriptions()];
    if (open.length === 0) return;
    const valid = await this.validAmong(open.flatMap(({ agent }) => (agent.lease ? [] : [agent.keyId])));
    const leases = open.flatMap(({ agent }) => (agent.lease ? [{ agentId: agent.id, ...agent.lease }] : []));
    const standings = await this.standings.read(leases);
    const living = new Set(
      leases.filter((_, at) => standings[at]!.good).map(({ issueId, token }) => `${issueId}#${token}`),
    );
    for (const stream of open)
      if (!(stream.agent.lease ? living : valid).has(stream.agent.keyId)) void stream.end();
  }

  /** The keys among these that still exist and have not expired, by the clock of the database. */
  private async validAmong(keyIds: string[]): Promise<Set<string>> {
    const valid = await this.keys.find({
      select: { id: true },
      where: [
        { id: In(keyIds), expiresAt: IsNull() },
        { id: In(keyIds), expiresAt: Raw((expires) => `${expires} > now()`) },
      ],
    });
    return new Set(valid.map(({ id }) => id));
  }
}

/** Digests of an agent's lists, to find out whether they have changed. */
export interface ListFingerprint {
  /** Digest of every tool with its definition, and of whether it needs an approval. */
  tools: string;
  /** The servers by id that are not narrowed to tools, whose prompts and resources make the other lists. */
  servers: ReadonlyMap<string, OfferedServer>;
}

export function fingerprintOf(servers: readonly OfferedServer[]): ListFingerprint {
  return {
    tools: digest(
      servers.map(({ serverId, slug, serverName, tools }) => [serverId, slug, serverName, tools]),
    ),
    servers: new Map(servers.filter(({ narrowed }) => !narrowed).map((server) => [server.serverId, server])),
  };
}

function digest(value: unknown): string {
  return createHash('sha256').update(jsonText(value)).digest('base64');
}

/** What may change an agent's lists, or end a key. */
const WATCHED = /^(mcp|agent|key)\./;

/** Of these, what changes no agent's lists. */
const CHANGES_NO_LIST = /^key\.|^mcp\.tool\.called$|^agent\.created$/;

const ENDS_KEYS = /^(key|agent)\.deleted$/;

/** Keys also expire, without an event. */
const KEY_CHECK_MS = 30_000;

/** A statement for so many agents takes less than a second where each may use 50 servers. */
const AGENTS_AT_ONCE = 500;

/** How long an agent is remembered between its first request and its subscription. */
const GRACE_MS = 10_000;

/**
 * Notifies connected agents when their lists have changed (contract §7): after a grant, a revoke, a change of a server,
 * of its approved tools or of the agent, a halt. Each of these is in the journal, whichever process made it. The lists
 * of each connected agent are then compared with what they were, so that no agent is notified of a change that concerns
 * only others. The notification is a hint: every list and every call reads what is allowed for itself.
 */
@Injectable()
export class ListChangesWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly known = new Map<string, ListFingerprint & { since: number }>();
  private subscription: JournalSubscription | null = null;
  /** Counts comparisons, for agents that are added meanwhile. */
  private comparisons = 0;
  private keysChecked = 0;
  /** A server may send thousands of notifications per second, and each would be bytes of every stream. */
  private readonly notices = new Coalesced(NOTICE_PAUSE_MS);

  constructor(
    private readonly access: ToolAccessService,
    private readonly agents: ConnectedAgentsService,
    private readonly processEvents: ProcessEventsService,
    private readonly journal: JournalFollowerWorker,
    private readonly lists: ServerListsService,
  ) {}

  onApplicationBootstrap(): void {
    this.processEvents.listChanged.subscribe(({ serverId, what }) => {
      if (what !== 'tools') this.notices.run(`${serverId} ${what}`, () => this.notifyUsersOf(serverId, what));
    });
    this.subscription = this.journal.subscribe({
      name: 'Agents could not be notified of changed lists',
      types: WATCHED,
      everyMs: KEY_CHECK_MS,
      handle: (update) => this.handle(update),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.subscription) await this.journal.unsubscribe(this.subscription);
  }

  /** Notifies the agent of changes from now on, for as long as it listens. Call it before the agent can read a list. */
  async follow(agentId: string): Promise<void> {
    const known = this.known.get(agentId);
    if (known) known.since = performance.now();
    else await this.add(agentId);
  }

  /** Reads the lists again when a comparison began meanwhile: the one that was read may be of before the change. */
  private async add(agentId: string): Promise<void> {
    for (;;) {
      const { comparisons } = this;
      const fingerprint = await this.read(agentId);
      if (comparisons !== this.comparisons) continue;
      this.known.set(agentId, { ...fingerprint, since: performance.now() });
      return;
    }
  }

  private async handle({ types, isComplete }: JournalUpdate): Promise<void> {
    this.forgetSilent();
    const all = [...types];
    if (!isComplete || all.some((type) => !CHANGES_NO_LIST.test(type))) await this.compareAll();
    await this.checkKeys(!isComplete || all.some((type) => ENDS_KEYS.test(type)));
  }

  private forgetSilent(): void {
    for (const [agentId, { since }] of this.known)
      if (!this.agents.listens(agentId) && performance.now() - since > GRACE_MS) this.known.delete(agentId);
  }

  private async checkKeys(haveEnded: boolean): Promise<void> {
    if (!haveEnded && performance.now() - this.keysChecked < KEY_CHECK_MS) return;
    this.keysChecked = performance.now();
    await this.agents.dropInvalid();
  }

  /** Reads the lists of many agents in one statement: a change of a profile concerns hundreds of them at once. */
  private async compareAll(): Promise<void> {
    this.comparisons += 1;
    const agentIds = [...this.known.keys()];
    for (let from = 0; from < agentIds.length; from += AGENTS_AT_ONCE) {
      const now = await this.access.offeredServers(agentIds.slice(from, from + AGENTS_AT_ONCE));
      for (const [agentId, servers] of now) this.compare(agentId, fingerprintOf(servers));
    }
  }

  private compare(agentId: string, now: ListFingerprint): void {
    const before = this.known.get(agentId);
    if (!before) return;
    this.known.set(agentId, { ...now, since: before.since });
    if (now.tools !== before.tools) this.agents.notify(agentId, 'tools');
    for (const server of changed(before.servers, now.servers)) void this.notifyOfOffers(agentId, server);
  }

  private async read(agentId: string): Promise<ListFingerprint> {
    return fingerprintOf((await this.access.offeredServers([agentId])).get(agentId) ?? []);
  }

  /**
   * A server that came or went changes the lists of prompts and resources only where it has some. A server is not asked
   * for them if the answer would cost a process per agent, or the first start of a server that was never verified.
   */
  private async notifyOfOffers(agentId: string, server: OfferedServer): Promise<void> {
    const asks = server.tools !== null && server.sharing === 'shared';
    for (const list of ['prompts', 'resources'] as const)
      if (!asks || (await this.lists.offers(server, agentId, list))) this.agents.notify(agentId, list);
  }

  /** Only the process that runs the server knows that its prompts or resources have changed. */
  private notifyUsersOf(serverId: string, what: 'prompts' | 'resources'): void {
    for (const [agentId, { servers }] of this.known)
      if (servers.has(serverId)) this.agents.notify(agentId, what);
  }
}

/** Returns the servers that only one of the two has, or has under another slug or with other credentials. */
function changed(before: ReadonlyMap<string, OfferedServer>, now: ReadonlyMap<string, OfferedServer>) {
  const isIn = (
    servers: ReadonlyMap<string, OfferedServer>,
    { serverId, slug, credentialSetId }: OfferedServer,
  ) => {
    const known = servers.get(serverId);
    return known?.slug === slug && known.credentialSetId === credentialSetId;
  };
  const gone = [...before.values()].filter((server) => !isIn(now, server));
  const come = [...now.values()].filter((server) => !isIn(before, server));
  return [...gone, ...come];
}
