import { credentialSetOf } from '../server-description.js';
import type { ProcessSlots } from './process-slots.js';
import { linesOf, type ServerLogLine } from './stderr-ring.js';
import { SupervisedServer } from './supervised-server.js';
import type { SupervisorHooks, SupervisorSettings } from './supervisor-settings.js';

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
