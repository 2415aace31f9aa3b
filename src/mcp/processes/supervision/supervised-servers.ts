import { atMost } from '../../../platform/concurrency/queues-semaphores-and-context-slots.js';
import type { LogNotice } from '../connection/mcp-connection.js';
import { McpUnavailable } from '../connection/mcp-errors.js';
import { credentialSetOf, ownerOf, type ServerDescription } from '../server-description-and-limits.js';
import type { StopLadder } from './end-process.js';
import type { ProcessSlots } from './call-admission-and-process-slots.js';
import { CrashHistory, type ServerListener, ServerStart } from './server-starts-first-listing-crashes.js';
import { linesOf, type LogLine, type ServerLogLine, StderrRing } from './stderr-ring.js';
import { type Opener, SupervisedConnection } from './supervised-connection.js';
import type { SupervisorHooks, SupervisorSettings } from './supervisor-settings.js';

const REPLACED = new McpUnavailable(
  'stopped',
  'The server was stopped and starts again with new settings. Try again.',
);

/** A lost session is renewed without a call at most once in this time. */
const RENEWAL_PAUSE_MS = 60_000;

/** What a process logs is passed on so often per second; its log has all of it. */
const MOST_NOTICES = 50;

/** The state of one installed server: its connections, its crashes and its log. */
export class SupervisedServer {
  private readonly pool = new Map<string, SupervisedConnection>();
  private readonly all = new Set<SupervisedConnection>();
  private readonly crashes: CrashHistory;
  private readonly ring = new StderrRing();
  private readonly secrets = new Set<string>();
  /** By scope. */
  private readonly renewedAt = new Map<string, number>();
  private readonly starts: ServerStart;
  constructor(
    private readonly settings: SupervisorSettings,
    private readonly slots: ProcessSlots,
    private readonly listener: ServerListener,
  ) {
    this.crashes = new CrashHistory(settings.backOffMs, settings.crashLimit);
    this.starts = new ServerStart(settings, slots, listener, this.crashes, this.ring);
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

  /**
   * Takes a connection out of use whose session the server has forgotten, or may have: the next call opens another one.
   * Calls that still run on it are not repeated, because the server may be executing them.
   */
  replace(connection: SupervisedConnection): void {
    if (this.pool.get(connection.scope) === connection) this.pool.delete(connection.scope);
    void connection.endWhenQuiet(REPLACED, this.settings.drainMs);
  }

  /** Ends the process of a scope once its running calls have finished. */
  async yieldScope(scope: string): Promise<void> {
    const present = this.pool.get(scope);
    this.pool.delete(scope);
    await present?.endWhenQuiet(REPLACED, this.settings.drainMs);
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
    this.listener.onEvent(`Was stopped (${connection.scope}): ${error.reason}`);
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
    let release = (): void => undefined;
    const open: Opener = async (holder, signal) => {
      if (server.transport === 'stdio') release = await this.listener.onStarting(scope, signal);
      const live = await this.starts.open(server, holder, signal);
      live.onResourceUpdated = (uri) => this.listener.onResourceUpdated(scope, uri);
      // The log of a shared process tells of the calls of other agents.
      if (ownerOf(scope) !== null)
        live.onLogged = atMost(MOST_NOTICES, (notice: () => LogNotice) =>
          this.listener.onLogged(scope, notice()),
        );
      live.onSessionLost = () => this.renew(server, scope);
      return live;
    };
    const connection = new SupervisedConnection(scope, server.revision, open, server.limits);
    this.pool.set(scope, connection);
    this.all.add(connection);
    void this.watchOver(connection, server).finally(() => release());
    return connection;
  }

  /**
   * Opens a new session for one whose notifications have stopped, because no call may come that would find out. A server that
   * forgets every session gets one in a minute; otherwise the next call opens it.
   */
  private renew(server: ServerDescription, scope: string): void {
    const lost = this.pool.get(scope);
    if (!lost?.isUsable || lost.revision !== server.revision) return;
    this.replace(lost);
    if (performance.now() - (this.renewedAt.get(scope) ?? -Infinity) < RENEWAL_PAUSE_MS) return;
    this.renewedAt.set(scope, performance.now());
    this.start(server, scope);
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
    this.starts.forgetEra(server.revision);
    if (!(error instanceof McpUnavailable) || error.kind !== 'start_failed') return;
    this.listener.onEvent(`Could not be started (${connection.scope}): ${error.reason}`);
    if (server.transport === 'stdio') this.noteCrash(error.reason);
  }

  private noteCrash(reason: string): void {
    if (this.crashes.note(performance.now())) this.listener.onCrashLimit(reason);
  }
}

interface KnownServer {
  serverId: string;
  server: SupervisedServer;
}

/** The servers that have had a connection, by credential set: crashes and logs of one set do not concern the others. */
export class SupervisedServers {
  private readonly known = new Map<string, KnownServer>();

  constructor(
    private readonly settings: SupervisorSettings,
    private readonly slots: ProcessSlots,
    private readonly hooks: SupervisorHooks,
  ) {}

  /** Returns the state of all, of the credential sets of one server, or of one set. */
  all(serverId?: string, credentialSetId?: string): SupervisedServer[] {
    return [...this.known]
      .filter(([id]) => credentialSetId === undefined || id === credentialSetId)
      .filter(([, known]) => serverId === undefined || known.serverId === serverId)
      .map(([, { server }]) => server);
  }

  entries(): { serverId: string; credentialSetId: string; server: SupervisedServer }[] {
    return [...this.known].map(([credentialSetId, known]) => ({ credentialSetId, ...known }));
  }

  find(serverId: string, scope: string): SupervisedServer | undefined {
    return this.known.get(credentialSetOf(serverId, scope))?.server;
  }

  obtain(serverId: string, scope: string): SupervisedServer {
    const credentialSetId = credentialSetOf(serverId, scope);
    const known = this.known.get(credentialSetId);
    if (known) return known.server;
    const server = new SupervisedServer(this.settings, this.slots, {
      onCrashLimit: (reason) => this.hooks.onCrashLimit(serverId, reason, credentialSetId),
      onStartListed: (revision, tools) =>
        this.hooks.onStartListed({ serverId, credentialSetId, revision }, tools),
      onStarting: async (process, signal) =>
        (await this.hooks.onStarting?.(serverId, process, signal)) ?? (() => undefined),
      onStarted: () => this.hooks.onStarted?.(serverId),
      onListChanged: (what) => this.hooks.onListChanged(serverId, what),
      onResourceUpdated: (process, uri) => this.hooks.onResourceUpdated?.(serverId, process, uri),
      onLogged: (process, notice) => this.hooks.onLogged?.(serverId, process, notice),
      onEvent: (message) => this.hooks.log?.(serverId, message),
    });
    this.known.set(credentialSetId, { serverId, server });
    return server;
  }

  forget(serverId: string): void {
    for (const [id, known] of this.known) if (known.serverId === serverId) this.known.delete(id);
  }

  logs(serverId: string): ServerLogLine[] {
    return this.entries()
      .filter((known) => known.serverId === serverId)
      .flatMap(({ credentialSetId, server }) => linesOf(credentialSetId, server.logs()));
  }

  /** Returns the lines that each wrote since the last call. */
  takeLogs(): { serverId: string; lines: ServerLogLine[] }[] {
    return this.entries().map(({ serverId, credentialSetId, server }) => ({
      serverId,
      lines: linesOf(credentialSetId, server.takeLogs()),
    }));
  }
}
