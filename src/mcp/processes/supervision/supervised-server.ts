import { setTimeout as delay } from 'node:timers/promises';
import type { Tool } from '@modelcontextprotocol/client';
import type { StopLadder } from './end-process.js';
import { CrashHistory } from './crash-history.js';
import type { McpConnection } from '../connection/mcp-connection.js';
import { openConnection } from '../connection/open-connection.js';
import { McpUnavailable } from '../connection/mcp-errors.js';
import { asUnavailable, listedTooSlowly } from './start-failures.js';
import type { ProcessSlots, SlotHolder } from './process-slots.js';
import type { EraVerdict, ServerDescription } from '../server-description.js';
import { StderrRing, type LogLine } from './stderr-ring.js';
import { SupervisedConnection, type Opener } from './supervised-connection.js';
import type { SupervisorSettings } from './supervisor-settings.js';

const REPLACED = new McpUnavailable(
  'stopped',
  'The server was stopped and starts again with new settings. Try again.',
);

/** The events that one server reports to the supervisor. */
export interface ServerListener {
  onCrashLimit(reason: string): void;
  onStartListed(revision: string, tools: Tool[]): Promise<void>;
  onStarted(): void;
  onListChanged(what: 'tools' | 'prompts' | 'resources'): void;
  onResourceUpdated(scope: string, uri: string): void;
  onEvent(message: string): void;
}

/** The state of one installed server: its connections, its crashes, its log, its protocol era. */
export class SupervisedServer {
  private readonly pool = new Map<string, SupervisedConnection>();
  private readonly all = new Set<SupervisedConnection>();
  private readonly crashes: CrashHistory;
  private readonly ring = new StderrRing();
  private readonly secrets = new Set<string>();
  /**
   * The era that the last start of this revision found; undefined after a failed start, so that the next one probes.
   */
  private era: { revision: string; verdict: EraVerdict | undefined } | null = null;

  constructor(
    private readonly settings: SupervisorSettings,
    private readonly slots: ProcessSlots,
    private readonly listener: ServerListener,
  ) {
    this.crashes = new CrashHistory(settings.backOffMs, settings.crashLimit);
  }

  /** Returns every connection that has not ended, including those that are being replaced. */
  connections(): SupervisedConnection[] {
    return [...this.all];
  }

  /** Returns the connection of this scope, and starts one where there is none. One of another revision is drained. */
  obtain(server: ServerDescription, scope: string): SupervisedConnection {
    const present = this.pool.get(scope);
    if (present?.isUsable && present.revision === server.revision) return present;
    if (present?.isUsable) void present.endWhenQuiet(REPLACED, this.settings.drainMs);
    return this.start(server, scope);
  }

  /**
   * Returns the live connection of this scope and revision to a process; null where a call has to start or replace one
   * first.
   */
  live(scope: string, revision: string): SupervisedConnection | null {
    const present = this.pool.get(scope);
    return present?.isUsable && present.revision === revision && present.connection?.pid ? present : null;
  }

  async stop(reason: McpUnavailable, ladder?: StopLadder): Promise<void> {
    this.pool.clear();
    await Promise.all(this.connections().map((connection) => connection.end(reason, ladder)));
  }

  async drain(): Promise<void> {
    this.pool.clear();
    await Promise.all(
      this.connections().map((connection) => connection.endWhenQuiet(REPLACED, this.settings.drainMs)),
    );
  }

  /** Ends a connection for an error of the server, which counts as a crash. */
  async punish(connection: SupervisedConnection, error: McpUnavailable): Promise<void> {
    this.noteCrash(error.reason);
    await connection.end(error);
  }

  forgive(): void {
    this.crashes.forget();
  }

  logs(): LogLine[] {
    return this.ring.lines([...this.secrets]);
  }

  /** Returns the lines that were written since the last call. */
  takeLogs(): LogLine[] {
    return this.ring.take([...this.secrets]);
  }

  private start(server: ServerDescription, scope: string): SupervisedConnection {
    server.secrets.forEach((secret) => this.secrets.add(secret));
    const open: Opener = async (holder, signal) => {
      const live = await this.open(server, holder, signal);
      live.onResourceUpdated = (uri) => this.listener.onResourceUpdated(scope, uri);
      return live;
    };
    const connection = new SupervisedConnection(scope, server.revision, open, server.limits);
    this.pool.set(scope, connection);
    this.all.add(connection);
    void this.watchOver(connection, server);
    return connection;
  }

  /**
   * Watches a connection from its start to its end. A failed start, or an end that nothing in the service requested, is
   * a crash.
   */
  private async watchOver(connection: SupervisedConnection, server: ServerDescription): Promise<void> {
    try {
      const live = await connection.started;
      this.listener.onStarted();
      const { reason } = await live.closed;
      if (connection.isUsable) this.onUnaskedEnd(connection, server, reason);
    } catch (error) {
      if (connection.isUsable) this.onFailedStart(connection, server, error);
    }
    await connection.end(
      new McpUnavailable('died', `${server.name} has ended. Try again: the next call starts it.`),
    );
    this.slots.release(connection);
    this.all.delete(connection);
    if (this.pool.get(connection.scope) === connection) this.pool.delete(connection.scope);
  }

  private onUnaskedEnd(connection: SupervisedConnection, server: ServerDescription, reason: string): void {
    this.listener.onEvent(`Ended by itself (${connection.scope}): ${reason}`);
    if (server.transport === 'stdio') this.noteCrash(reason);
    void connection.end(
      new McpUnavailable(
        'died',
        `${server.name} died before it responded: ${reason} Try again: the next call starts it.`,
      ),
    );
  }

  private onFailedStart(connection: SupervisedConnection, server: ServerDescription, error: unknown): void {
    this.era = { revision: server.revision, verdict: undefined };
    if (!(error instanceof McpUnavailable) || error.kind !== 'start_failed') return;
    this.listener.onEvent(`Could not be started (${connection.scope}): ${error.reason}`);
    if (server.transport === 'stdio') this.noteCrash(error.reason);
  }

  private noteCrash(reason: string): void {
    if (this.crashes.note(Date.now())) this.listener.onCrashLimit(reason);
  }

  private async open(
    server: ServerDescription,
    holder: SlotHolder,
    signal: AbortSignal,
  ): Promise<McpConnection> {
    await this.sitOutBackOff(server, signal);
    if (server.transport === 'stdio') await this.slots.take(holder);
    signal.throwIfAborted();
    const { settings } = this;
    const prior = this.era?.revision === server.revision ? this.era.verdict : server.prior;
    try {
      const connection = await openConnection({ ...server, prior }, { ...settings, ring: this.ring, signal });
      this.era = { revision: server.revision, verdict: connection.verdict };
      connection.onListChanged = (what) => this.listener.onListChanged(what);
      await this.compareTools(connection, server.revision, signal);
      return connection;
    } catch (error) {
      throw asUnavailable(error, server);
    }
  }

  /**
   * Lists the tools of a new process, which may differ from those of the last one, before any call reaches it.
   * A connection whose tools cannot be listed or compared is closed.
   */
  private async compareTools(
    connection: McpConnection,
    revision: string,
    signal: AbortSignal,
  ): Promise<void> {
    const limit = AbortSignal.timeout(this.settings.startTimeoutMs);
    try {
      const tools = await connection.listTools(AbortSignal.any([signal, limit]));
      await this.listener.onStartListed(revision, tools);
    } catch (error) {
      await connection.close();
      throw limit.aborted && !signal.aborted ? listedTooSlowly(this.settings.startTimeoutMs) : error;
    }
  }

  private async sitOutBackOff(server: ServerDescription, signal: AbortSignal): Promise<void> {
    const pause = this.crashes.pauseMs(Date.now());
    if (pause > this.settings.patienceMs) {
      const seconds = Math.ceil(pause / 1000);
      throw new McpUnavailable(
        'busy',
        `${server.name} crashed several times and is started again in ${seconds} s. Try again then.`,
        seconds,
      );
    }
    await delay(pause, undefined, { signal });
  }
}
