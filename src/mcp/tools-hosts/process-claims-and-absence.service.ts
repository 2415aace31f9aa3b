import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Client } from 'pg';
import { Subject } from 'rxjs';
import { v7 as uuidv7 } from 'uuid';
import { Semaphore } from '../../platform/concurrency/queues-and-semaphores.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import { DEAD_AFTER } from './tools-host.entity.js';

/**
 * Notices that a host may have counted as dead: it was stopped or suspended, or it did not reach the database, for so long
 * that its announcement was too old.
 */
export class Absence {
  private announcedAt = performance.now();

  /** @param onAbsence is called when the last announcement is older than `limitMs`, or was before the present one */
  constructor(
    private readonly limitMs: number,
    private readonly onAbsence: () => void,
  ) {}

  /** @param at when the announcement was sent */
  announced(at: number): void {
    this.look();
    this.announcedAt = at;
  }

  /** Looks at once: what arrived during an absence can come before the next announcement. */
  look(): void {
    if (performance.now() - this.announcedAt > this.limitMs) this.onAbsence();
  }
}

/** The name of the session of a host, before its id. */
const SESSION = 'awp-tools:';
const CHANNEL = 'awp_wanted_processes';
const AGAIN_MS = 200;
const RECONNECT_MS = 500;
/** A host that drains gives its calls less than this to finish. */
const PATIENCE_MS = 28_000;
/** Less than the time after which another host may end the session of this one. */
const ABSENT_MS = 3_000;

/**
 * Ends the session of a host that has the process and has not announced itself for a while: a host that lost its power
 * closes no connection, and PostgreSQL would keep its session for hours.
 */
const END_DEAD_HOLDER = `
  SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database()
    AND ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended($1, 3)
    AND a.application_name LIKE '${SESSION}%' AND NOT EXISTS (
      SELECT 1 FROM tools_hosts h
      WHERE '${SESSION}' || h.id = a.application_name AND h.seen_at > now() - interval '${DEAD_AFTER}')`;

/** A process of one server. */
export type Process = Record<'serverId' | 'scope', string>;

/**
 * Lets each process of a server run on one tools host only, by a lock of a session of the database: it ends with the
 * host. A host that needs a process which another one has asks for it, and the other one ends it when it is idle.
 */
@Injectable()
export class ProcessClaimsService implements OnApplicationShutdown {
  /** The id of this host. */
  readonly hostId = uuidv7();
  /** Another host needs this process. */
  readonly wanted = new Subject<Process>();
  /** Another host has this process by now. */
  readonly lost = new Subject<Process>();
  private readonly log = new Logger(ProcessClaimsService.name);
  private readonly failure = new RepeatedFailure(this.log, 'The claims of server processes are tried again');
  /** A session runs one statement at a time. */
  private readonly turns = new Semaphore(1);
  private readonly held = new Map<string, number>();
  private client: Promise<Client> | null = null;
  /** The open connection; null while there is none. */
  private session: Client | null = null;
  private isEnded = false;
  private takingAgain: Promise<void> = Promise.resolve();
  private confirming: Promise<void> | null = null;
  private readonly absence = new Absence(ABSENT_MS, () => {
    if (this.held.size > 0) this.confirming ??= this.confirm().finally(() => (this.confirming = null));
  });

  constructor(private readonly database: DatabaseService) {
    // What the former session held is taken again.
    database.renewed.subscribe(() => void this.session?.end().catch(() => undefined));
  }

  /** @param sentAt when this host sent its announcement, which has arrived */
  announced(sentAt: number): void {
    this.absence.announced(sentAt);
  }

  /**
   * Waits until this host certainly has the processes that it holds, where it was absent so long that another one may have
   * taken them: a call that waited meanwhile must not reach a process that runs elsewhere by now.
   */
  async confirmed(): Promise<void> {
    this.absence.look();
    await this.confirming;
  }

  /**
   * Waits until this host may run the process, and returns the function that gives it back.
   * @throws {McpUnavailable} when another host does not end it in time
   */
  async take(process: Process, signal: AbortSignal): Promise<() => void> {
    const key = keyOf(process);
    const until = performance.now() + PATIENCE_MS;
    while (!(await this.tryTake(key).catch(unreachable))) {
      await this.wish(key).catch(unreachable);
      if (performance.now() > until)
        throw new McpUnavailable('busy', 'Another host still runs this server. Try again in a moment.', 2);
      await sleep(AGAIN_MS, undefined, { signal });
    }
    this.held.set(key, (this.held.get(key) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (!isReleased) void this.release(key);
      isReleased = true;
    };
  }

  async onApplicationShutdown(): Promise<void> {
    this.isEnded = true;
    // The end of the connection, however it ends, gives back what is still held.
    await (await this.client?.catch(() => null))?.end().catch(() => undefined);
  }

  /** A session that responds has lost nothing. */
  private async confirm(): Promise<void> {
    try {
      await this.turns.run(async () => (await this.connected()).query('SELECT 1'));
    } catch (error) {
      this.log.warn(`This host was absent, and takes its server processes again: ${String(error)}`);
      const { session } = this;
      if (session) this.broken(session);
      // A session that is not used any more must not keep its locks; how it ends does not matter.
      void session?.end().catch(() => undefined);
    }
    await this.takingAgain;
  }

  private tryTake(key: string): Promise<boolean> {
    return this.turns.run(async () => {
      const client = await this.connected();
      const { rows } = await client.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 3)) AS taken',
        [key],
      );
      return rows[0]!.taken;
    });
  }

  /** Asks the host that has the process for it, or ends its session where that host is dead. */
  private wish(key: string): Promise<void> {
    return this.turns.run(async () => {
      const client = await this.connected();
      await client.query('SELECT pg_notify($1, $2)', [CHANNEL, key]);
      await client.query(END_DEAD_HOLDER, [key]);
    });
  }

  private async release(key: string): Promise<void> {
    const count = (this.held.get(key) ?? 1) - 1;
    if (count > 0) this.held.set(key, count);
    else this.held.delete(key);
    try {
      await this.turns.run(async () =>
        (await this.connected()).query('SELECT pg_advisory_unlock(hashtextextended($1, 3))', [key]),
      );
    } catch (error) {
      // A connection that broke has given it back.
      if (!this.isEnded) this.log.debug(`A process could not be given back: ${String(error)}`);
    }
  }

  private connected(): Promise<Client> {
    // The next use connects again.
    this.client ??= this.connect().catch((error: unknown) => {
      this.client = null;
      throw error;
    });
    return this.client;
  }

  private async connect(): Promise<Client> {
    const client = this.database.separateClient({
      application_name: `${SESSION}${this.hostId}`,
      query_timeout: 4_000,
    });
    // `end` follows, and what was held is taken again.
    client.on('error', () => this.broken(client));
    client.on('end', () => this.broken(client));
    await client.connect();
    this.session = client;
    client.on('notification', ({ payload = '' }) => {
      if (this.held.has(payload)) this.wanted.next(processOf(payload));
    });
    await client.query(`LISTEN ${CHANNEL}`);
    return client;
  }

  private broken(client: Client): void {
    if (this.isEnded || this.session !== client) return;
    this.session = null;
    this.client = null;
    if (this.held.size > 0) this.takingAgain = this.takeAgain();
  }

  /** Takes what this host held before its connection broke. A process that another host took meanwhile is lost. */
  private async takeAgain(): Promise<void> {
    try {
      for (const [key, count] of this.held)
        for (let n = 0; n < count; n += 1) if (!(await this.tryTake(key))) this.lost.next(processOf(key));
      this.failure.succeeded();
    } catch (error) {
      if (this.isEnded) return;
      // A new session holds nothing, so that nothing is taken twice; how the old one ends does not matter.
      void this.session?.end().catch(() => undefined);
      this.session = null;
      this.client = null;
      this.failure.failed(error);
      await sleep(RECONNECT_MS);
      await this.takeAgain();
    }
  }
}

function unreachable(): never {
  throw new McpUnavailable(
    'busy',
    'The database did not respond when the server was to be started. Try again in a moment.',
    2,
  );
}

function keyOf({ serverId, scope }: Process): string {
  return `${serverId}/${scope}`;
}

function processOf(key: string): Process {
  const [serverId = '', scope = ''] = key.split('/');
  return { serverId, scope };
}
