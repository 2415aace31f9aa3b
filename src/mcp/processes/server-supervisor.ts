import type { Tool } from '@modelcontextprotocol/client';
import { CallGate } from './call-gate.js';
import { liveServers, type LiveServer } from './live-server.js';
import { McpUnavailable } from './mcp-errors.js';
import { OrphanWatcher } from './orphan-watcher.js';
import { ProcessSlots } from './process-slots.js';
import { ResourceWatch } from './resource-watch.js';
import type { ServerDescription } from './server-description.js';
import type { LogLine } from './stderr-ring.js';
import type { SupervisedConnection } from './supervised-connection.js';
import { SupervisedServer } from './supervised-server.js';
import type { CallOptions, SupervisorHooks } from './supervisor-hooks.js';
import type { SupervisorSettings } from './supervisor-settings.js';

/**
 * Keeps the servers that agents use. For each server and scope ('shared', or an agent's id where each agent has
 * a process of its own) there is at most one connection that takes calls, in one of these modes:
 *
 * - none: nobody has called yet, or it ended. The first call begins a start, all further ones join it.
 * - starting: the back-off after a crash is sat out (or, if longer than a call's patience, the call refused), a
 *   process slot is taken, the longest idle server giving way, then spawn and handshake within 30 s.
 * - live: calls run side by side. It is left by idleness, memory beyond the cap, stop, a new revision, or
 *   because the process ends. The last of these that nobody asked for is a crash; five in ten minutes are
 *   reported, once, for the owner to put the server into `error`.
 * - draining: another revision has taken its place; running calls finish, for a minute at most.
 * - ending: whoever waits gets the reason at once; stdin closed, SIGTERM, SIGKILL, until no descendant is left.
 *
 * Before all that a call passes the gate: so many per process and in all, a fair queue behind. Nothing here is
 * kept across a restart of the service; what a killed service leaves behind is boot-sweep.ts's.
 */
export class ServerSupervisor {
  private readonly servers = new Map<string, SupervisedServer>();
  private readonly gate: CallGate;
  private readonly slots: ProcessSlots;
  private readonly watcher: OrphanWatcher | null;
  private readonly watch: ResourceWatch;
  private readonly removed = new Map<string, McpUnavailable>();
  private shuttingDown = false;

  constructor(
    private readonly settings: SupervisorSettings,
    private readonly hooks: SupervisorHooks,
  ) {
    this.gate = new CallGate(settings);
    this.slots = new ProcessSlots(settings.maxProcesses, settings.patienceMs);
    this.watcher = settings.sandbox === 'process-group' ? new OrphanWatcher(settings.serviceDataDir) : null;
    this.watcher?.start();
    this.watch = new ResourceWatch(settings, () => this.servers.values());
  }

  /** Calls a server, starting it where needed. Throws McpError (its own answer) or McpUnavailable (none). */
  async call(
    server: ServerDescription,
    scope: string,
    method: string,
    params: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    const requestOptions = this.timed(options);
    return this.throughGate(server, scope, options, () =>
      this.onConnection(server, scope, (connection) => connection.request(method, params, requestOptions)),
    );
  }

  /**
   * The same for a server that runs already, as of this revision, and has room: without its description, which
   * costs a look at the database and opened credentials. null where it is not so. Whoever stops the server
   * breaks the call off, like every other.
   */
  callLive(
    { serverId, scope, revision }: { serverId: string; scope: string; revision: string },
    method: string,
    params: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> | null {
    if (this.shuttingDown || this.removed.has(serverId)) return null;
    const connection = this.servers.get(serverId)?.live(scope, revision);
    if (!connection) return null;
    const leave = this.gate.tryEnter(placeOf(serverId, scope, options));
    return leave && connection.request(method, params, this.timed(options)).finally(leave);
  }

  /** All tools of a server, starting it where needed. Throws McpStartFailure of phase `list`, or McpUnavailable. */
  async listTools(server: ServerDescription, scope: string, signal?: AbortSignal): Promise<Tool[]> {
    return this.throughGate(server, scope, { signal }, () =>
      this.onConnection(server, scope, (connection) =>
        connection.use((live) => live.listTools(signal), signal),
      ),
    );
  }

  /** Ends every process of a server with all descendants; whoever waits for it gets `reason`. */
  async stop(serverId: string, reason: string): Promise<void> {
    const fault = new McpUnavailable('stopped', reason);
    this.gate.refuseWaiting(fault, serverId);
    await this.servers.get(serverId)?.stop(fault);
  }

  /** Lets running calls finish, for a minute at most, then stops; calls that come meanwhile start it anew. */
  async drain(serverId: string): Promise<void> {
    await this.servers.get(serverId)?.drain();
  }

  /** Forgets crashes and back-off: for a server that was verified, changed or enabled by a person. */
  forgive(serverId: string): void {
    this.servers.get(serverId)?.forgive();
  }

  /**
   * Stops a server that is gone for good, and forgets all about it, its log too. Calls that were permitted a
   * moment before, and arrive a moment after, are refused: they would start it again.
   */
  async remove(serverId: string, reason: string): Promise<void> {
    this.removed.set(serverId, new McpUnavailable('stopped', reason));
    await this.stop(serverId, reason);
    this.servers.delete(serverId);
  }

  /** The last that a server wrote to stderr, over restarts, masked. */
  logs(serverId: string): LogLine[] {
    return this.servers.get(serverId)?.logs() ?? [];
  }

  live(): LiveServer[] {
    return [...this.servers].flatMap(([serverId, server]) => liveServers(serverId, server.connections()));
  }

  /** Refuses new calls, gives running ones four seconds, ends everything: within eight seconds in all. */
  async shutdown(): Promise<void> {
    this.shuttingDown = true;
    this.gate.refuseWaiting(SHUTTING_DOWN);
    const { shutdownGraceMs, shutdownLadder } = this.settings;
    const connections = [...this.servers.values()].flatMap((server) => server.connections());
    await Promise.all(
      connections.map((connection) =>
        connection.endWhenQuiet(SHUTTING_DOWN, shutdownGraceMs, shutdownLadder),
      ),
    );
    await Promise.all([...this.servers.values()].map((server) => server.stop(SHUTTING_DOWN, shutdownLadder)));
    this.watch.stop();
    this.watcher?.stop();
  }

  private timed(options: CallOptions) {
    const { callTimeoutMs, callHardLimitMs } = this.settings;
    const { timeoutMs = callTimeoutMs, maxTotalMs = callHardLimitMs } = options;
    return { ...options, timeoutMs, maxTotalMs };
  }

  private async throughGate<T>(
    server: ServerDescription,
    scope: string,
    options: CallOptions,
    run: () => Promise<T>,
  ): Promise<T> {
    const { serverId } = server;
    this.refuseWhereEnded(serverId);
    const leave = await this.gate.enter(placeOf(serverId, scope, options), options.signal);
    try {
      this.refuseWhereEnded(serverId); // It may have changed while the call waited.
      return await run();
    } finally {
      leave();
    }
  }

  private refuseWhereEnded(serverId: string): void {
    const fault = this.shuttingDown ? SHUTTING_DOWN : this.removed.get(serverId);
    if (fault) throw fault;
  }

  /** A remote server may forget a session; it did nothing with the call then, which is made again, once. */
  private async onConnection<T>(
    server: ServerDescription,
    scope: string,
    run: (connection: SupervisedConnection) => Promise<T>,
  ): Promise<T> {
    const known = this.serverOf(server.serverId);
    const connection = known.obtain(server, scope);
    try {
      return await run(connection);
    } catch (error) {
      if (!(error instanceof McpUnavailable) || error.kind !== 'session_lost') throw error;
      void connection.end(error);
      return run(known.obtain(server, scope));
    }
  }

  private serverOf(serverId: string): SupervisedServer {
    const known = this.servers.get(serverId);
    if (known) return known;
    const server = new SupervisedServer(this.settings, this.slots, {
      onCrashLimit: (reason) => this.hooks.onCrashLimit(serverId, reason),
      onListChanged: (what) => this.hooks.onListChanged(serverId, what),
      onResourceUpdated: (scope, uri) => this.hooks.onResourceUpdated?.(serverId, scope, uri),
      onEvent: (message) => this.hooks.log?.(serverId, message),
    });
    this.servers.set(serverId, server);
    return server;
  }
}

/** What the gate counts a call by. */
function placeOf(serverId: string, scope: string, { caller = scope }: CallOptions) {
  return { serverId, key: `${serverId}/${scope}`, caller };
}

const SHUTTING_DOWN = new McpUnavailable(
  'stopped',
  'The service is shutting down. Try again in a minute.',
  60,
);
