import { setTimeout as delay } from 'node:timers/promises';
import type { LogNotice, McpConnection } from '../connection/mcp-connection.js';
import { isOutdated, isSignIn, McpStartFailure, McpUnavailable } from '../connection/mcp-errors.js';
import { openConnection } from '../connection/open-connection.js';
import type { EraVerdict, ServerDescription } from '../server-description-and-limits.js';
import type { ProcessSlots, SlotHolder } from './call-admission-and-process-slots.js';
import type { StderrRing } from './stderr-ring.js';
import type { SupervisorSettings } from './supervisor-settings.js';

/** The failure of a start whose tools came too late. */
export function listedTooSlowly(limitMs: number): McpStartFailure {
  return new McpStartFailure('list', `The server did not list its tools within ${limitMs / 1000} s.`, '');
}

/** Returns a failed start as the error of the calls that wait for it; other errors as they are. */
export function asUnavailable(error: unknown, { name }: ServerDescription): unknown {
  if (!(error instanceof McpStartFailure)) return error;
  if (isSignIn(error.cause) || isOutdated(error.cause)) return error.cause;
  if (error.credentialsRefused)
    return new McpUnavailable(
      'credentials_refused',
      `${name} refused its credentials. An admin has to enter valid ones.`,
    );
  return new McpUnavailable('start_failed', `${name} could not be started: ${error.message}`);
}

/**
 * Counts the recent crashes of a server and derives the back-off and the crash limit from them. Times in milliseconds.
 */
export class CrashHistory {
  private crashes: number[] = [];

  constructor(
    private readonly backOffMs: { first: number; longest: number },
    private readonly limit: { crashes: number; withinMs: number },
  ) {}

  /** Records a crash. Returns true when this one reaches the limit, and false for later ones in the same window. */
  note(now: number): boolean {
    this.crashes = [...this.crashes.filter((at) => now - at < this.limit.withinMs), now];
    return this.crashes.length === this.limit.crashes;
  }

  /**
   * Returns how long the next start has to wait. It doubles with each crash, and is 0 once the last one is out of the
   * window.
   */
  pauseMs(now: number): number {
    const last = this.crashes.at(-1);
    if (last === undefined || now - last >= this.limit.withinMs) return 0;
    const pause = Math.min(this.backOffMs.first * 2 ** (this.crashes.length - 1), this.backOffMs.longest);
    return Math.max(0, last + pause - now);
  }

  forget(): void {
    this.crashes = [];
  }
}

/** The events that one server reports to the supervisor. */
export interface ServerListener {
  onCrashLimit(reason: string): void;
  onStartListed(revision: string, tools: unknown[]): Promise<void>;
  onStarting(scope: string, signal: AbortSignal): Promise<() => void>;
  onStarted(): void;
  onListChanged(what: 'tools' | 'prompts' | 'resources'): void;
  onResourceUpdated(scope: string, uri: string): void;
  onLogged(scope: string, notice: LogNotice): void;
  onEvent(message: string): void;
}

/**
 * Starts one installed server: the back-off after crashes passes, a process slot is taken, the handshake follows, and the
 * tools are listed and compared before any call (contract §7.5).
 */
export class ServerStart {
  /**
   * The era that the last start of this revision found; undefined after a failed start, so that the next one probes.
   */
  private era: { revision: string; verdict: EraVerdict | undefined } | null = null;

  constructor(
    private readonly settings: SupervisorSettings,
    private readonly slots: ProcessSlots,
    private readonly listener: ServerListener,
    private readonly crashes: CrashHistory,
    private readonly ring: StderrRing,
  ) {}

  /** @throws {McpUnavailable} when the server cannot be started */
  async open(server: ServerDescription, holder: SlotHolder, signal: AbortSignal): Promise<McpConnection> {
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

  /** The next start probes again, because the last one failed. */
  forgetEra(revision: string): void {
    this.era = { revision, verdict: undefined };
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
    const pause = this.crashes.pauseMs(performance.now());
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
