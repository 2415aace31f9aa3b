import { McpUnavailable } from '../connection/mcp-errors.js';
import type { SupervisedServer } from './supervised-servers.js';
import type { SupervisorSettings } from './supervisor-settings.js';

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
