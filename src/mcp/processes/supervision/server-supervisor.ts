import { setTimeout as sleep } from 'node:timers/promises';
import { McpUnavailable } from '../connection/mcp-errors.js';
import { asRepeat, isSafe, sessionAfter } from '../connection/lost-sessions-and-refused-tokens.js';
import { credentialSetOf, type ServerDescription } from '../server-description-and-limits.js';
import { placeOf } from './call-slots.js';
import { OrphanWatcher } from './orphans.js';
import { CallAdmission, ProcessSlots, withTimeLimits } from './call-admission-and-process-slots.js';
import { DiskLimits, ProcessLimits } from './memory-disk-idle-limits.js';
import type { ServerLogLine } from './stderr-ring.js';
import type { SupervisedConnection } from './supervised-connection.js';
import { SupervisedServers } from './supervised-servers.js';
import type { CallOptions, SupervisorHooks, SupervisorSettings } from './supervisor-settings.js';

/** A connection that is starting, live or ending, as operators and metrics see it. */
export interface LiveServer {
  serverId: string;
  /** The credential set of the process; the id of the server for the set `default`. */
  credentialSetId: string;
  scope: string;
  /** Identifies the credentials, variables and package version that it was started with. */
  revision: string;
  pid: number | null;
  since: string;
  inFlight: number;
  era: 'modern' | 'legacy' | null;
}

export function liveServers(serverId: string, connections: readonly SupervisedConnection[]): LiveServer[] {
  return connections.map(({ scope, revision, since, inFlight, connection }) => ({
    serverId,
    credentialSetId: credentialSetOf(serverId, scope),
    scope,
    revision,
    pid: connection?.pid ?? null,
    since: since.toISOString(),
    inFlight,
    era: connection?.era ?? null,
  }));
}

const LOOK_MS = 50;

/** Ends each connection as soon as it is idle, until there is none, or for at most `withinMs`. */
export async function retire(connections: () => SupervisedConnection[], withinMs: number): Promise<void> {
  const until = performance.now() + withinMs;
  while (connections().length > 0 && performance.now() < until) {
    const idle = connections().filter((connection) => connection.idleSince() !== null);
    await Promise.all(idle.map((connection) => connection.giveWay()));
    await sleep(LOOK_MS);
  }
}

const SHUTTING_DOWN = new McpUnavailable(
  'stopped',
  'The service is shutting down. Try again in a minute.',
  60,
);

/**
 * Starts, calls and stops the MCP servers that agents use. For each server and scope
 * (server-description-and-limits.ts) at most one connection takes calls. It is in one of these states:
 *
 * - none: no call has come yet, or the connection ended. The first call begins a start, and later calls join it.
 * - starting: the back-off after a crash passes first. When it is longer than a call's patience, the call is refused.
 *   Then a process slot is taken, for which the server that is idle longest gives way. Spawn and handshake follow
 *   within 30 s. The start ends when the server's tools are listed and compared with the approved ones.
 * - live: calls run concurrently. The state ends with idleness, too much memory, a stop, a new revision, or the end of
 *   the process. An end that nothing in the service requested is a crash. Five crashes in ten minutes with the
 *   same credential set are reported once, and the owner sets the server or the set to `error`.
 * - draining: a connection of another revision has replaced it. Running calls have one minute to finish.
 * - ending: every waiting call gets the reason at once. Stdin is closed, then SIGTERM and SIGKILL follow until no
 *   descendant is left.
 *
 * Before any of this a call is admitted: a limited number runs per process and in all, with a fair queue behind.
 * Nothing survives a restart of the service; orphans.ts ends what a killed service leaves behind.
 */
export class ServerSupervisor {
  private readonly servers: SupervisedServers;
  private readonly admission: CallAdmission;
  private readonly slots: ProcessSlots;
  private readonly watcher: OrphanWatcher | null;
  private readonly watches: readonly { stop(): void }[];

  constructor(
    private readonly settings: SupervisorSettings,
    hooks: SupervisorHooks,
  ) {
    this.admission = new CallAdmission(settings);
    this.slots = new ProcessSlots(settings.maxProcesses, settings.patienceMs);
    this.servers = new SupervisedServers(settings, this.slots, hooks);
    this.watcher = settings.sandbox === 'process-group' ? new OrphanWatcher(settings.serviceDataDir) : null;
    this.watcher?.start();
    const all = () => this.servers.all();
    this.watches = [new ProcessLimits(settings, all), new DiskLimits(settings, all)];
  }

  /**
   * Calls a server, and starts it where needed.
   * @throws {McpError} when the server responds with an error
   * @throws {McpUnavailable} when there is no usable response
   */
  async call(
    server: ServerDescription,
    scope: string,
    method: string,
    params: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    const requestOptions = withTimeLimits(options, this.settings, server.limits);
    return this.admission.run(placeOf(server.serverId, scope, options), options.signal, () =>
      this.onConnection(server, scope, method, (connection) =>
        connection.request(method, params, requestOptions),
      ),
    );
  }

  /**
   * Calls a server that already runs at this revision and has room, without its description, which would cost a query
   * and the decryption of its credentials. Returns null where it does not run, or has no room. Stopping the server
   * cancels the call like any other.
   */
  callLive(
    { serverId, scope, revision }: { serverId: string; scope: string; revision: string },
    method: string,
    params: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> | null {
    const connection = this.servers.find(serverId, scope)?.live(scope, revision);
    if (!connection) return null;
    const leave = this.admission.tryEnter(placeOf(serverId, scope, options));
    return (
      leave &&
      connection
        .request(method, params, withTimeLimits(options, this.settings, connection.limits))
        .finally(leave)
    );
  }

  /**
   * Lists all tools of a running server. Returns null for one that had to be started, whose start has listed them.
   * @throws {McpStartFailure} of phase `list` when the server cannot list its tools
   * @throws {McpUnavailable} when there is no usable response
   */
  async listTools(server: ServerDescription, scope: string, signal?: AbortSignal): Promise<unknown[] | null> {
    return this.admission.run(placeOf(server.serverId, scope, {}), signal, () =>
      this.onConnection(server, scope, 'tools/list', (connection) => {
        const isLive = connection.connection !== null;
        return connection.use(async (live) => (isLive ? live.listTools(signal) : null), signal);
      }),
    );
  }

  /**
   * Ends every process of a server, or of one credential set of it, with all descendants. Waiting and running calls fail
   * with `reason`.
   */
  async stop(serverId: string, reason: string, credentialSetId?: string): Promise<void> {
    const error = new McpUnavailable('stopped', reason);
    this.admission.refuseWaiting(serverId, error, credentialSetId);
    await Promise.all(this.servers.all(serverId, credentialSetId).map((server) => server.stop(error)));
  }

  /** Gives running calls one minute to finish, then stops the server. Calls that come meanwhile start it again. */
  async drain(serverId: string, credentialSetId?: string): Promise<void> {
    await Promise.all(this.servers.all(serverId, credentialSetId).map((server) => server.drain()));
  }

  /** Forgets crashes and back-off, after a person has verified, changed or enabled the server. */
  forgive(serverId: string, credentialSetId?: string): void {
    for (const server of this.servers.all(serverId, credentialSetId)) server.forgive();
  }

  /**
   * Stops a server that was uninstalled and forgets it with its log. Calls that were permitted before and arrive after
   * are refused, because they would start it again.
   */
  async remove(serverId: string, reason: string): Promise<void> {
    this.admission.closeServer(serverId, new McpUnavailable('stopped', reason));
    await this.stop(serverId, reason);
    this.servers.forget(serverId);
  }

  /** Returns the last lines that a server wrote to stderr, across restarts, with secrets masked. */
  logs(serverId: string): ServerLogLine[] {
    return this.servers.logs(serverId);
  }

  /** Returns the lines that each server wrote since the last call. */
  takeLogs(): { serverId: string; lines: ServerLogLine[] }[] {
    return this.servers.takeLogs();
  }

  live(): LiveServer[] {
    return this.servers
      .entries()
      .flatMap(({ serverId, server }) => liveServers(serverId, server.connections()));
  }

  /** Ends the process of one scope once its running calls have finished. Later calls start it again. */
  async yieldProcess(serverId: string, scope: string): Promise<void> {
    await this.servers.find(serverId, scope)?.yieldScope(scope);
  }

  /** Ends each process as soon as it is idle, for at most `withinMs`. */
  async retire(withinMs: number): Promise<void> {
    await retire(() => this.servers.all().flatMap((server) => server.connections()), withinMs);
  }

  /** Refuses new calls, gives running ones four seconds, then ends all processes: at most eight seconds in all. */
  async shutdown(): Promise<void> {
    this.admission.closeAll(SHUTTING_DOWN);
    const { shutdownGraceMs, shutdownLadder } = this.settings;
    const connections = this.servers.all().flatMap((server) => server.connections());
    await Promise.all(
      connections.map((connection) =>
        connection.endWhenQuiet(SHUTTING_DOWN, shutdownGraceMs, shutdownLadder),
      ),
    );
    await Promise.all(this.servers.all().map((server) => server.stop(SHUTTING_DOWN, shutdownLadder)));
    for (const watch of this.watches) watch.stop();
    this.watcher?.stop();
  }

  /**
   * Runs a request. Where a remote server has forgotten the session, or may have (5xx, a cut connection), later requests
   * get a new one, in which this one is repeated once if that cannot do it twice (contract §7.5).
   */
  private async onConnection<T>(
    server: ServerDescription,
    scope: string,
    method: string,
    run: (connection: SupervisedConnection) => Promise<T>,
  ): Promise<T> {
    const known = this.servers.obtain(server.serverId, scope);
    const connection = known.obtain(server, scope);
    try {
      return await run(connection);
    } catch (error) {
      const session = connection.hasSession ? sessionAfter(error, server) : null;
      if (session === null) throw error;
      known.replace(connection);
      if (session === 'doubtful' && !isSafe(method)) throw error;
      // Opened outside of the repetition, because the connection lives longer than that.
      const next = known.obtain(server, scope);
      return asRepeat(() => run(next));
    }
  }
}
