import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type Client, DatabaseError } from 'pg';
import { Subject } from 'rxjs';
import { v7 as uuidv7 } from 'uuid';
import { Semaphore } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { isConnectionLost } from '../../platform/database/postgres-errors.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import { DEAD_AFTER } from './live-hosts.service.js';

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
/** A host that drains gives its calls less than this to finish, unless another one of its start has replaced it. */
const PATIENCE_MS = 28_000;
/** A call waits no longer than this for the host to have its processes again. */
const CONFIRMATION_MS = 5_000;
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

/** A session of the database, and the keys whose locks it has. A lock of a session that is taken twice must be given back twice. */
interface Session {
  client: Client;
  locks: Set<string>;
}

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
  private opening: Promise<Session> | null = null;
  /** The open session; null while there is none. */
  private session: Session | null = null;
  private isEnded = false;
  /** Runs from the loss of a session until the next one has what this host holds. */
  private takingAgain: Promise<void> | null = null;
  private confirming: Promise<void> | null = null;
  private readonly absence = new Absence(ABSENT_MS, () => {
    // A session may have been lost without a sign, also one that holds nothing.
    this.confirming ??= this.confirm().finally(() => (this.confirming = null));
  });

  constructor(private readonly database: DatabaseService) {
    // What the former session held is taken again.
    database.renewed.subscribe(() => void this.session?.client.end().catch(() => undefined));
  }

  /** @param sentAt when this host sent its announcement, which has arrived */
  announced(sentAt: number): void {
    this.absence.announced(sentAt);
  }

  /**
   * Waits until this host certainly has the processes that it holds, where it was absent, or its session ended, so that
   * another one may have taken them: a call must not reach a process that runs elsewhere by now.
   * @throws {McpUnavailable} when the database does not say so in time
   */
  async confirmed(): Promise<void> {
    this.absence.look();
    if (!this.confirming && !this.takingAgain) return;
    const patience = new AbortController();
    // The pause ends with an error when it is not needed any more.
    const late = sleep(CONFIRMATION_MS, true, { signal: patience.signal }).catch(() => false);
    const all = Promise.all([this.confirming, this.takingAgain]).then(() => false);
    if (await Promise.race([all, late]).finally(() => patience.abort())) unreachable();
  }

  /**
   * Waits until this host may run the process, and returns the function that gives it back.
   * @throws {McpUnavailable} when another host does not end it in time
   */
  async take(process: Process, signal: AbortSignal): Promise<() => void> {
    const key = keyOf(process);
    const until = performance.now() + PATIENCE_MS;
    while (!(await this.tryTake(key, true).catch(unreachable))) {
      await this.wish(key).catch(unreachable);
      if (performance.now() > until)
        throw new McpUnavailable('busy', 'Another host still runs this server. Try again in a moment.', 2);
      await sleep(AGAIN_MS, undefined, { signal });
    }
    let isReleased = false;
    return () => {
      if (!isReleased) void this.release(key);
      isReleased = true;
    };
  }

  async onApplicationShutdown(): Promise<void> {
    this.isEnded = true;
    // The end of the connection, however it ends, gives back what is still held.
    await (await this.opening?.catch(() => null))?.client.end().catch(() => undefined);
  }

  /** A session that responds has lost nothing. */
  private async confirm(): Promise<void> {
    try {
      await this.inTurn(({ client }) => client.query('SELECT 1'));
    } catch (error) {
      this.log.warn(`This host was absent, and takes its server processes again: ${String(error)}`);
    }
    await this.takingAgain;
  }

  /**
   * Takes the lock of a process unless the session has it. In the same turn the process is counted as held, so that a
   * session that ends afterwards takes it again.
   */
  private tryTake(key: string, counts: boolean): Promise<boolean> {
    return this.inTurn(async ({ client, locks }) => {
      if (!counts && !this.held.has(key)) return true;
      if (!locks.has(key)) {
        const { rows } = await client.query<{ taken: boolean }>(
          'SELECT pg_try_advisory_lock(hashtextextended($1, 3)) AS taken',
          [key],
        );
        if (!rows[0]!.taken) return false;
        locks.add(key);
      }
      if (counts) this.held.set(key, (this.held.get(key) ?? 0) + 1);
      return true;
    });
  }

  /** Asks the host that has the process for it, or ends its session where that host is dead. */
  private wish(key: string): Promise<void> {
    return this.inTurn(async ({ client }) => {
      await client.query('SELECT pg_notify($1, $2)', [CHANNEL, key]);
      await client.query(END_DEAD_HOLDER, [key]);
    });
  }

  private async release(key: string): Promise<void> {
    const count = (this.held.get(key) ?? 1) - 1;
    if (count > 0) this.held.set(key, count);
    else this.held.delete(key);
    try {
      await this.turns.run(() => this.unlock(key));
    } catch (error) {
      // A session that broke has given it back.
      if (!this.isEnded) this.log.debug(`A process could not be given back: ${String(error)}`);
    }
  }

  private async unlock(key: string): Promise<void> {
    const { session } = this;
    if (this.held.has(key) || !session?.locks.delete(key)) return;
    try {
      await session.client.query('SELECT pg_advisory_unlock(hashtextextended($1, 3))', [key]);
    } catch (error) {
      // It may still have the lock.
      this.discard(session);
      throw error;
    }
  }

  /** Runs statements on the session when no others run. A session that did not answer is given up with its locks. */
  private inTurn<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.turns.run(async () => {
      const session = await this.opened();
      try {
        return await work(session);
      } catch (error) {
        if (!(error instanceof DatabaseError) || isConnectionLost(error)) this.discard(session);
        throw error;
      }
    });
  }

  private opened(): Promise<Session> {
    // The next use connects again.
    this.opening ??= this.open().catch((error: unknown) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  private async open(): Promise<Session> {
    const client = this.database.separateClient({
      application_name: `${SESSION}${this.hostId}`,
      query_timeout: 4_000,
    });
    const session = { client, locks: new Set<string>() };
    // What was held is taken again.
    for (const event of ['error', 'end'] as const) client.on(event, () => this.discard(session));
    client.on('notification', ({ payload = '' }) => {
      if (this.held.has(payload)) this.wanted.next(processOf(payload));
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      void client.end().catch(() => undefined); // A session that is not used ends with its connection.
      throw error;
    }
    this.session = session;
    return session;
  }

  /** A session that is not used any more must not keep its locks. */
  private discard(session: Session): void {
    if (this.isEnded || this.session !== session) return;
    this.session = null;
    this.opening = null;
    // How it ends does not matter: its end gives back its locks.
    void session.client.end().catch(() => undefined);
    if (this.held.size > 0) this.takingAgain ??= this.takeAgain();
  }

  /** Takes what this host held before its session ended. A process that another host took meanwhile is lost. */
  private async takeAgain(): Promise<void> {
    while (!this.isEnded) {
      try {
        const session = await this.inTurn((open) => Promise.resolve(open));
        for (const key of this.held.keys())
          if (!(await this.tryTake(key, false))) this.lost.next(processOf(key));
        if (this.session !== session) continue;
        this.takingAgain = null;
        return this.failure.succeeded();
      } catch (error) {
        this.failure.failed(error);
        await sleep(RECONNECT_MS);
      }
    }
  }
}

function unreachable(): never {
  throw new McpUnavailable(
    'busy',
    'The database did not say in time on which host the server runs. Try again in a moment.',
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
