import { type LoggingLevel, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ToolAccessService } from '../../mcp/access/tool-access.service.js';
import type { LogNotice } from '../../mcp/processes/connection/mcp-connection.js';
import { ownerOf } from '../../mcp/processes/server-description-and-limits.js';
import { ProcessEventsService } from '../../mcp/server-processes/supervisor-sandbox-and-sweep.provider.js';
import { KeyedQueue } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import { Settings } from '../../platform/config/settings.js';
import { cutToBytes } from '../../platform/http/text-and-instant-rules.js';
import { jsonText } from '../../platform/json/exact-json.js';
import { mayUseServers } from '../agent-tools/agent-tools.service.js';
import type { Answer } from '../calls/exchange.js';
import type { AgentSession } from './session-notices-and-questions.js';
import { SessionRelayService } from './session-relay.service.js';

/** From the least severe one. */
const LEVELS: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** How many lines of one agent may wait until its right is read; each has at most MCP_NOTIFICATION_MAX_BYTES. */
const MOST_WAITING = 100;

/**
 * What servers log, in the sessions that set a level (`logging/setLevel`, 2025-11-25 and before). An agent hears only of
 * processes that it has for itself (`sharing: "agent"`): the log of a shared one tells of the calls of others. The level is
 * the session's and is not passed on, because a process writes one log for all of its readers (contract §7.4).
 */
@Injectable()
export class SessionLogsService implements OnApplicationBootstrap {
  private readonly levels = new Map<AgentSession, number>();
  /** Keeps the lines of an agent in their order, although its right is read again for each. */
  private readonly inOrder = new KeyedQueue();
  private readonly waiting = new Map<string, number>();
  private readonly mostBytes: number;

  constructor(
    private readonly access: ToolAccessService,
    private readonly processEvents: ProcessEventsService,
    private readonly relay: SessionRelayService,
    { limits }: Settings,
  ) {
    this.mostBytes = limits.mcpNotificationMaxBytes;
  }

  onApplicationBootstrap(): void {
    this.processEvents.logged.subscribe(
      ({ serverId, scope, notice }) => void this.tell(serverId, ownerOf(scope), notice),
    );
  }

  /** Returns the method that a session supports for this. */
  answersFor(session: AgentSession): Record<string, Answer> {
    return {
      'logging/setLevel': async (_agent, { level }) => {
        const rank = LEVELS.indexOf(level as LoggingLevel);
        if (rank === -1)
          throw new ProtocolError(
            ProtocolErrorCode.InvalidParams,
            `level must be one of ${LEVELS.join(', ')}`,
          );
        this.levels.set(session, rank);
        await this.tellElsewhere(session);
        return {};
      },
    };
  }

  /** Takes over the level that the session set in another process. Its stream may be in this one. */
  learn(session: AgentSession, level: number): void {
    this.levels.set(session, level);
  }

  async tellElsewhere(session: AgentSession): Promise<void> {
    const level = this.levels.get(session);
    if (level !== undefined) await this.relay.tell({ kind: 'level', session: session.name, level });
  }

  /** Removes a session that has ended. */
  drop(session: AgentSession): void {
    this.levels.delete(session);
  }

  private async tell(serverId: string, agentId: string | null, notice: LogNotice): Promise<void> {
    const level = notice.level as LoggingLevel;
    const listening = [...this.levels]
      .filter(([{ agent }, least]) => agent.id === agentId && LEVELS.indexOf(level) >= least)
      .filter(([{ agent }]) => mayUseServers(agent));
    if (agentId === null || listening.length === 0) return;
    const data = this.within(notice.data);
    const slug = await this.slugInTurn(agentId, serverId);
    if (slug === null) return;
    const logger = notice.logger === undefined ? slug : `${slug}: ${notice.logger}`;
    const params = { level, logger: cutToBytes(logger, this.mostBytes), data };
    await Promise.all(listening.map(([session]) => session.tellLogged(params)));
  }

  /** Also returns null while MOST_WAITING lines of the agent wait, because the database is slow then. */
  private async slugInTurn(agentId: string, serverId: string): Promise<string | null> {
    const before = this.waiting.get(agentId) ?? 0;
    if (before >= MOST_WAITING) return null;
    this.waiting.set(agentId, before + 1);
    const slug = await this.inOrder.run(agentId, () => this.slugOf(agentId, serverId));
    const left = this.waiting.get(agentId)! - 1;
    if (left === 0) this.waiting.delete(agentId);
    else this.waiting.set(agentId, left);
    return slug;
  }

  /** Returns null where the agent may not use the server now; a server logs at most 50 lines per second to sessions. */
  private async slugOf(agentId: string, serverId: string): Promise<string | null> {
    try {
      const verdict = await this.access.mayUse(agentId, serverId);
      return verdict.allowed ? verdict.server.slug : null;
    } catch {
      // A right that cannot be read now counts as none: a line of a log is not worth more.
      return null;
    }
  }

  private within(data: unknown): unknown {
    const text = jsonText(data) ?? 'null';
    return Buffer.byteLength(text) <= this.mostBytes ? (data ?? null) : cutToBytes(text, this.mostBytes);
  }
}
