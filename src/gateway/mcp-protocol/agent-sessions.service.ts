import { SdkError } from '@modelcontextprotocol/server';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { ApprovalParkingService } from '../approvals/waiting-and-parked-calls.service.js';
import { taskWishOf } from '../calls/request-meta-and-task-wish.js';
import { type Answer, CancelledByClient, type SessionRequest } from '../calls/exchange.js';
import { ToolCallsService } from '../tool-calls/tool-calls.service.js';
import { AgentServersService } from './agent-server-methods.service.js';
import { AgentSession } from './session-notices-and-questions.js';
import { sessionName } from '../../work/leases/mcp-leases.service.js';
import { ResourceSubscriptionsService } from './resource-subscriptions.service.js';
import { SessionLogsService } from './session-logs.service.js';
import { type QuestionAnswer, type SessionNews, SessionRelayService } from './session-relay.service.js';
import { type SessionClaims, type SessionHolder, SessionIdsService } from './session-ids.service.js';

/** The longest interval between searches for idle sessions. */
const SWEEP_MS = 30_000;

/** The most sessions of all agents. Beyond it the session that was unused longest ends. */
const MOST = 4_096;

/** How many deleted sessions are remembered, so that a late request does not revive one. */
const MOST_DELETED = 4_096;

/** Twice what a server may get as an answer. */
const MOST_ANSWER_CHARACTERS = 131_072;

/**
 * The sessions of the protocol's old era in this process. Clients often never say that they have gone: one without
 * an open request ends after `MCP_SESSION_IDLE_SECONDS`. That is no end for the client: a session that this process does
 * not hold, because it ended, gave way or began in another process, is revived from its id.
 */
@Injectable()
export class AgentSessionsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(AgentSessionsService.name);
  private readonly sessions = new Map<string, AgentSession>();
  private readonly reviving = new Map<string, Promise<AgentSession>>();
  /** Their names. */
  private readonly deleted = new Set<string>();
  private sweeper: NodeJS.Timeout | null = null;

  private readonly idleMs: number;
  /** Beyond it the session of the agent that was unused longest ends. */
  private readonly mostPerAgent: number;
  private readonly frameMaxBytes: number;

  constructor(
    private readonly servers: AgentServersService,
    private readonly subscriptions: ResourceSubscriptionsService,
    private readonly logs: SessionLogsService,
    private readonly calls: ToolCallsService,
    private readonly ids: SessionIdsService,
    private readonly parking: ApprovalParkingService,
    private readonly relay: SessionRelayService,
    { mcpSessionIdleSeconds, limits }: Settings,
  ) {
    this.mostPerAgent = limits.mcpSessionsPerAgent;
    this.frameMaxBytes = limits.mcpFrameMaxBytes;
    this.idleMs = mcpSessionIdleSeconds * 1_000;
  }

  onApplicationBootstrap(): void {
    this.sweeper = setInterval(() => this.sweep(), Math.min(SWEEP_MS, this.idleMs));
    this.sweeper.unref();
    this.relay.news.subscribe((news) => this.hear(news));
    this.relay.missed.subscribe(() => void this.askAgain());
  }

  /** Running calls have their own end at shutdown. The streams of notifications have none, so they are ended here. */
  beforeApplicationShutdown(): void {
    if (this.sweeper) clearInterval(this.sweeper);
    for (const session of this.sessions.values()) session.endNotices();
  }

  /**
   * @param greeting the parameters of `initialize`
   * @param instructions for the agent's model, sent with the response to it
   */
  async open(
    agent: AgentPrincipal,
    greeting: Record<string, unknown>,
    instructions: string,
  ): Promise<AgentSession> {
    const session = this.make(this.ids.issue(agent, greeting), agent, instructions);
    await this.keep(session);
    await session.start();
    return session;
  }

  /** Returns null for a deleted session, an invented id, and the session of another agent or lease: all look the same. */
  async find(id: string, agent: AgentPrincipal): Promise<AgentSession | null> {
    const session = this.sessions.get(id);
    if (session) return isSameHolder(session.agent, agent) ? session : null;
    const claims = this.deleted.has(sessionName(id)) ? null : this.ids.read(id, agent);
    return claims && this.revived(id, agent, claims);
  }

  /**
   * Returns whether a further session of this agent would cut the stream of another one. A client whose stream is cut
   * opens it again, so that two sessions would take the place from each other for as long as both live.
   */
  isCrowded(id: string, agentId: string): boolean {
    const own = this.of(agentId);
    return !this.sessions.has(id) && own.length >= this.mostPerAgent && own.every(({ burden }) => burden > 0);
  }

  of(agentId: string): AgentSession[] {
    return this.all().filter(({ agent }) => agent.id === agentId);
  }

  all(): AgentSession[] {
    return [...this.sessions.values()];
  }

  /** Beside subscriptions, the calls of a batch: the SDK takes it apart, while a call that comes alone never gets here. */
  private answersFor(session: AgentSession): Record<string, Answer> {
    return {
      ...this.subscriptions.answersFor(session),
      ...this.logs.answersFor(session),
      'tools/call': (agent, given, exchange) => {
        const { params, task } = taskWishOf('session', given);
        const calling = { name: session.name, holdsLeases: true };
        const signal = cancellable(exchange.signal);
        return this.calls.call(agent, params, { ...exchange, signal, task, session: calling });
      },
    };
  }

  /** Requests that arrive together revive a session once. */
  private revived(id: string, agent: AgentPrincipal, claims: SessionClaims): Promise<AgentSession> {
    const running = this.reviving.get(id);
    if (running) return running;
    const revived = this.revive(id, agent, claims).finally(() => this.reviving.delete(id));
    this.reviving.set(id, revived);
    return revived;
  }

  private async revive(id: string, agent: AgentPrincipal, claims: SessionClaims): Promise<AgentSession> {
    const session = this.make(id, agent);
    await session.revive(claims);
    await this.keep(session);
    return session;
  }

  private make(id: string, agent: AgentPrincipal, instructions?: string): AgentSession {
    const makeServer = (made: AgentSession) =>
      this.servers.serverFor(() => made.agent, instructions, this.answersFor(made));
    const session: AgentSession = new AgentSession(id, agent, makeServer, this.frameMaxBytes, {
      cancel: (request) => this.cancelElsewhere(session, request),
      answer: (answer) => this.answerElsewhere(session, answer),
      stream: () => this.relay.tell({ kind: 'streams', session: session.name }),
    });
    return session;
  }

  /** Takes what another process has learnt of a session, where this one has it, too. */
  private hear(news: SessionNews): void {
    if (news.kind === 'deleted') this.rememberDeleted(news.session);
    const session = this.all().find(({ name }) => name === news.session);
    if (!session) return;
    switch (news.kind) {
      case 'cancelled':
        return session.cancelledElsewhere(news.requestId);
      case 'answered':
        return void session.questions.answer(news);
      case 'watched':
        return this.subscriptions.learn(session, news.resources);
      case 'level':
        return this.logs.learn(session, news.level);
      case 'streams':
        void this.subscriptions.tellElsewhere(session, [...session.watched]);
        return void this.logs.tellElsewhere(session);
      case 'deleted':
        return void session.end();
    }
  }

  /** Streams may be open here of which other processes have learnt more. One session after the other: there may be thousands. */
  private async askAgain(): Promise<void> {
    for (const { name, idleSince } of this.all())
      if (idleSince === null) await this.relay.tell({ kind: 'streams', session: name });
  }

  /** A server gets no answer that is larger, so that this one counts as none (see `bounded` of the questions of calls). */
  private async answerElsewhere({ name }: AgentSession, { question, result }: QuestionAnswer): Promise<void> {
    const isTooLarge = JSON.stringify(result).length > MOST_ANSWER_CHARACTERS;
    await this.relay.tell({ kind: 'answered', session: name, question, result: isTooLarge ? null : result });
  }

  /** The client expects no response to a notification, so a failure reaches the log only. */
  private async cancelElsewhere({ agent, name }: AgentSession, request: SessionRequest): Promise<void> {
    const { requestId } = request;
    if (typeof requestId !== 'object') await this.relay.tell({ kind: 'cancelled', session: name, requestId });
    try {
      await this.parking.withdrawElsewhere(agent, request);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn(`A call that its client cancelled could not be looked for: ${reason}`);
    }
  }

  /** Takes up a session in place of another one, without a pause between both: sessions that come together are counted. */
  private async keep(session: AgentSession): Promise<void> {
    const least = this.leastMissed(session.agent.id);
    if (least) this.sessions.delete(least.id);
    this.sessions.set(session.id, session);
    void this.forgetOnceEnded(session);
    await least?.end();
  }

  /** Returns the session that has to end before the agent can have a further one. */
  private leastMissed(agentId: string): AgentSession | null {
    const own = this.of(agentId);
    if (own.length >= this.mostPerAgent) return leastMissed(own);
    return this.sessions.size >= MOST ? leastMissed(this.all()) : null;
  }

  private async forgetOnceEnded(session: AgentSession): Promise<void> {
    await session.ended;
    // Another object may have revived it meanwhile.
    if (this.sessions.get(session.id) === session) this.sessions.delete(session.id);
    this.subscriptions.drop(session);
    this.logs.drop(session);
    if (!session.isDeleted || this.deleted.has(session.name)) return;
    this.rememberDeleted(session.name);
    await this.relay.tell({ kind: 'deleted', session: session.name });
  }

  private rememberDeleted(name: string): void {
    this.deleted.add(name);
    const [oldest] = this.deleted;
    if (this.deleted.size > MOST_DELETED && oldest !== undefined) this.deleted.delete(oldest);
  }

  private sweep(): void {
    for (const session of this.sessions.values()) {
      const { idleSince } = session;
      if (idleSince !== null && performance.now() - idleSince > this.idleMs) void session.end();
    }
  }
}

/** Returns a signal that says that the client cancelled the call. The SDK aborts its own with an error only where the session ends. */
function cancellable(signal: AbortSignal): AbortSignal {
  const abort = new AbortController();
  const pass = () => abort.abort(signal.reason instanceof SdkError ? signal.reason : new CancelledByClient());
  if (signal.aborted) pass();
  else signal.addEventListener('abort', pass, { once: true });
  return abort.signal;
}

function isSameHolder(one: SessionHolder, other: SessionHolder): boolean {
  return (
    one.id === other.id &&
    one.lease?.issueId === other.lease?.issueId &&
    one.lease?.token === other.lease?.token
  );
}

/** Of the sessions whose end interrupts least, the one that was unused longest. */
function leastMissed(sessions: AgentSession[]): AgentSession {
  return sessions.reduce((least, session) =>
    session.burden < least.burden || (session.burden === least.burden && session.usedAt < least.usedAt)
      ? session
      : least,
  );
}
