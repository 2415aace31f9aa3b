import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { Subject } from 'rxjs';
import { SILENCE_MS } from '../database/data-source-pool-and-limits.js';
import { DatabaseService } from '../database/database.service.js';
import type { ServiceClient } from '../database/service.client.js';

/** The PostgreSQL channel that `JournalService` notifies and `JournalConnectionClient` listens on. */
export const NOTIFICATION_CHANNEL = 'awp_journal';

/**
 * The channel on which processes of one database say what they use besides it. `JournalConnectionClient` listens on it too,
 * since a process has one connection that listens.
 */
export const PRESENCE_CHANNEL = 'awp_presence';

/** The channel on which processes of one database tell each other of sessions of MCP. */
export const SESSION_CHANNEL = 'awp_sessions';

/**
 * Types that other processes must learn of at once. All others are too frequent: NOTIFY takes a lock on the whole
 * server until the commit is on disk, so commits that notify cannot share one flush.
 */
const ADMINISTRATIVE = /^(agent|key|user|webhook|mcp\.(server|access|tool|credentials|profile))\./;

export function isAdministrative(type: string): boolean {
  return ADMINISTRATIVE.test(type) && type !== 'mcp.tool.called';
}

const RECONNECT_MS = 500;
/** A process that was itself held up for longer than this cannot judge the database. */
const OWN_DELAY_MS = 500;
/** Below `SILENCE_MS`: a statement that waits for a lock gets an error, so that silence always means a lost connection. */
const STATEMENT_TIMEOUT_MS = 2_000;
/** lock_timeout and statement_timeout: the database is there. */
const TIMED_OUT = ['55P03', '57014'];

const SILENCE = Symbol('silence');

/**
 * The journal follower's own connection, outside of the pool. It listens for notifications and reads the end of the
 * journal; every statement is also a probe, since a connection that leads nowhere looks like a silent one. When the
 * connection breaks, it is made again.
 */
@Injectable()
export class JournalConnectionClient {
  /** A row of an administrative type was committed, in whichever process. A hint: what happened is read from the journal. */
  readonly notified = new Subject<void>();
  /** What a process of this database, also this one, says of itself. Any user of the database may send it. */
  readonly present = new Subject<string>();
  /** A part of what a process of this database, also this one, tells of a session. Any user of the database may send it. */
  readonly relayed = new Subject<string>();
  /** Notifications and rows may have been missed before this. */
  readonly connected = new Subject<void>();
  private readonly log = new Logger(JournalConnectionClient.name);
  private client: Client | null = null;
  /** Settles with the response to the last statement. */
  private reading: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private hasEnded = false;
  /** When the connection was lost, or could first not be made; `null` while there is one. */
  private awaySince: number | null = null;
  /** Whether the log has said of this outage that the host name is not resolved. */
  private hasNamedHost = false;

  constructor(private readonly database: DatabaseService) {
    database.renewed.subscribe(() => void this.replace());
  }

  get isConnected(): boolean {
    return this.client !== null;
  }

  /** Connects, and keeps connecting until `end`. */
  async connect(): Promise<void> {
    const client = this.make();
    const begun = performance.now();
    try {
      await listen(client);
      if (this.hasEnded) return void (await close(client));
      this.client = client;
      this.noteReturn();
      this.connected.next();
    } catch (error) {
      this.noteAbsence(error, client.unresolvedHost);
      // Neither accepted nor refused: then the pool's connections lead nowhere too.
      if (performance.now() - begun >= SILENCE_MS) this.database.cutConnections();
      void close(client);
      this.reconnectLater();
    }
  }

  private make(): ServiceClient {
    const client = this.database.separateClient({
      connectionTimeoutMillis: SILENCE_MS,
      query_timeout: 2 * SILENCE_MS,
    });
    // `drop` connects again, and an attempt that fails is logged.
    client
      .on('error', (error) => this.drop(client, error))
      .on('end', () => this.drop(client, new Error('the connection was closed')));
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === PRESENCE_CHANNEL) this.present.next(payload);
      else if (channel === SESSION_CHANNEL) this.relayed.next(payload);
      else this.notified.next();
    });
    return client;
  }

  /** Goes over to a connection with the present login. The former one ends when it has answered. */
  private async replace(): Promise<void> {
    const former = this.client;
    const client = this.make();
    try {
      await listen(client);
      if (!former || this.client !== former || this.hasEnded) return void (await close(client));
      this.client = client;
      await this.reading;
      await close(former);
    } catch (error) {
      this.log.warn(`The connection that follows the journal keeps its login: ${String(error)}`);
      await close(client);
    }
  }

  async end(): Promise<void> {
    this.hasEnded = true;
    if (this.timer) clearTimeout(this.timer);
    if (this.client) await close(this.client);
  }

  /**
   * Rows of one prepared statement.
   * @throws {Error} when there is no connection, or no response
   */
  async rows<Row>(name: string, text: string, values: unknown[] = []): Promise<Row[]> {
    const { client } = this;
    if (!client) throw new Error('There is no connection to follow the journal with.');
    try {
      const response = client.query({ name, text, values });
      // Its caller has the error.
      this.reading = response.catch(() => undefined);
      const result = await orSilence(response);
      if (result === SILENCE) return this.giveUp(client);
      return result.rows as Row[];
    } catch (error) {
      if (!TIMED_OUT.includes((error as { code?: string }).code ?? '')) this.drop(client, error);
      throw error;
    }
  }

  /**
   * An outage is one warning, however short it is, and however many attempts fail in it: two are made per second. Another
   * follows where it turns out that the name service is the cause.
   */
  private noteAbsence(error: unknown, host: string | null = null): void {
    const said = error instanceof Error ? error.message : String(error);
    const reason = host === null ? said : `the host name ${host} was not resolved: ${said}`;
    if (this.awaySince === null)
      this.log.warn(
        `The database cannot be reached, so the journal is not followed until it can (${reason}). The service keeps trying.`,
      );
    else if (host !== null && !this.hasNamedHost)
      this.log.warn(`The database still cannot be reached (${reason}). Check the name service of this host.`);
    else this.log.debug(`The database still cannot be reached (${reason}).`);
    this.hasNamedHost ||= host !== null;
    this.awaySince ??= performance.now();
  }

  private noteReturn(): void {
    if (this.awaySince === null) return;
    const seconds = Math.ceil((performance.now() - this.awaySince) / 1000);
    this.log.log(`The database can be reached again after ${seconds} s; the journal is followed.`);
    this.awaySince = null;
    this.hasNamedHost = false;
  }

  private giveUp(client: Client): never {
    this.database.cutConnections();
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    throw new Error('The database does not respond; its connections are given up.');
  }

  private drop(client: Client, reason: unknown): void {
    if (this.client !== client) return;
    this.client = null;
    // Here and not only in `connect`: an outage may be over before the first attempt to connect again.
    if (!this.hasEnded) this.noteAbsence(reason);
    void close(client);
    this.reconnectLater();
  }

  private reconnectLater(): void {
    if (this.hasEnded) return;
    this.timer = setTimeout(() => void this.connect(), RECONNECT_MS);
    this.timer.unref();
  }
}

async function listen(client: Client): Promise<void> {
  await client.connect();
  await client.query(
    `LISTEN ${NOTIFICATION_CHANNEL}; LISTEN ${PRESENCE_CHANNEL}; LISTEN ${SESSION_CHANNEL}; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
  );
}

async function close(client: Client): Promise<void> {
  // The connection is not used any more, so it does not matter how it ends.
  await client.end().catch(() => undefined);
}

async function orSilence<T>(response: Promise<T>): Promise<T | typeof SILENCE> {
  // When silence wins the race, the connection is destroyed and this rejection has no other reader.
  response.catch(() => undefined);
  for (;;) {
    const begun = performance.now();
    const patience = new AbortController();
    const silence = pause(SILENCE_MS, SILENCE, { ref: false, signal: patience.signal });
    // Aborted below, once the response is there.
    silence.catch(() => undefined);
    const outcome = await Promise.race([response, silence]).finally(() => patience.abort());
    const wasHeldUp = performance.now() - begun > SILENCE_MS + OWN_DELAY_MS;
    if (outcome !== SILENCE || !wasHeldUp) return outcome;
  }
}
