import { McpUnavailable } from '../connection/mcp-errors.js';
import {
  type ProcessRow,
  proportionalBytesOf,
  readProcessTable,
  residentBytesOf,
} from './process-table-and-folder-bytes.js';
import type { SupervisedConnection } from './supervised-connection.js';
import type { SupervisedServer } from './supervised-servers.js';
import type { SupervisorSettings } from './supervisor-settings.js';

const IDLE = new McpUnavailable(
  'stopped',
  'The server was idle and was stopped. Try again: the next call starts it.',
);

/**
 * Ends processes that use more memory than allowed, with their descendants, or that are idle for too long. It checks
 * once per second, with one read of the process table for all servers.
 */
export class ProcessLimits {
  private readonly timer: NodeJS.Timeout;
  private checking = false;

  constructor(
    private readonly settings: SupervisorSettings,
    private readonly servers: () => Iterable<SupervisedServer>,
  ) {
    this.timer = setInterval(() => void this.check(), settings.watchMs);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    const all = [...this.servers()].flatMap((server) =>
      server.connections().map((connection) => ({ server, connection })),
    );
    if (all.length === 0 || this.checking) return;
    this.checking = true;
    const table = await readProcessTable();
    for (const { server, connection } of all) {
      const limitMb = connection.limits.memoryMb ?? this.settings.processMemoryMb;
      const isTooMuch = await exceeds(connection.connection?.processes(table) ?? [], limitMb);
      if (!connection.isUsable) continue;
      if (isTooMuch) void server.punish(connection, tooMuchMemory(limitMb));
      else if (isIdle(connection, this.settings.idleSeconds)) void connection.end(IDLE);
    }
    this.checking = false;
  }
}

async function exceeds(rows: readonly ProcessRow[], megabytes: number): Promise<boolean> {
  const limit = megabytes * 2 ** 20;
  return residentBytesOf(rows) > limit && (await proportionalBytesOf(rows)) > limit;
}

function isIdle(connection: SupervisedConnection, idleSeconds: number): boolean {
  const since = connection.idleSince();
  return since !== null && performance.now() - since >= idleSeconds * 1000;
}

function tooMuchMemory(megabytes: number): McpUnavailable {
  return new McpUnavailable(
    'memory',
    `The server used more than ${megabytes} MiB of memory and was stopped. Request less at a time.`,
  );
}

/**
 * Ends servers that keep more in their own folders than `MCP_DISK_MB`. A server that has filled them is ended again after
 * each start, so that its owner sets it to `error` like one that crashes.
 */
export class DiskLimits {
  private readonly timer: NodeJS.Timeout | null;
  private checking = false;

  constructor(
    private readonly settings: SupervisorSettings,
    private readonly servers: () => Iterable<SupervisedServer>,
  ) {
    this.timer =
      settings.diskMb === 0 ? null : setInterval(() => void this.check(), settings.watchDiskMs).unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Counts one server after another, so that many servers do not occupy all threads of the file system. */
  private async check(): Promise<void> {
    if (this.checking) return;
    this.checking = true;
    const most = this.settings.diskMb * 2 ** 20;
    for (const server of [...this.servers()])
      for (const connection of server.connections()) {
        const bytes = (await connection.connection?.storedBytes(most)) ?? 0;
        if (bytes > most && connection.isUsable)
          void server.punish(connection, tooMuch(this.settings.diskMb));
      }
    this.checking = false;
  }
}

function tooMuch(megabytes: number): McpUnavailable {
  return new McpUnavailable(
    'disk',
    `The server keeps more than ${megabytes} MiB of files, or folders that cannot be read, and was stopped. An admin has to remove files from its folder, or raise MCP_DISK_MB.`,
  );
}
