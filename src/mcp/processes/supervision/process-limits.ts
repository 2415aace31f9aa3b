import { McpUnavailable } from '../connection/mcp-errors.js';
import { type ProcessRow, proportionalBytesOf, readProcessTable, residentBytesOf } from './process-table.js';
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
  return since !== null && Date.now() - since >= idleSeconds * 1000;
}

function tooMuchMemory(megabytes: number): McpUnavailable {
  return new McpUnavailable(
    'memory',
    `The server used more than ${megabytes} MiB of memory and was stopped. Request less at a time.`,
  );
}
