import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { Subject } from 'rxjs';
import { Database } from '../database/database.js';

/** The channel that `Journal` notifies. */
export const NOTICE_CHANNEL = 'awp_journal';

/** Types of which other processes must hear at once; all else is too frequent: a NOTIFY holds up other commits. */
const ADMINISTRATIVE = /^(agent|key|user|webhook|mcp\.(server|access|tool))\./;

export function isAdministrative(type: string): boolean {
  return ADMINISTRATIVE.test(type) && type !== 'mcp.tool.called';
}

const RECONNECT_MS = 500;
/**
 * A connection into nowhere looks like a silent one. Asked so often, and waited for so long, that whoever waits for
 * the pool's connections meanwhile is refused within the contract's 5 s (spec §8).
 */
const PROBE_MS = 1_000;
const ANSWER_MS = 2_500;
/** A process that was held up itself for longer than this has no right to judge. */
const OWN_DELAY_MS = 500;

/**
 * Hears of administrative rows of the journal in whichever process they were written, within milliseconds of
 * their commit. It has one connection of its own, outside of the pool, and makes it anew when it breaks; what
 * was said meanwhile is lost, so after each connect `heard` gives null: look at everything.
 *
 * A notice is a hint to look, never the truth: what is allowed is read anew at every request.
 */
@Injectable()
export class JournalNotices implements OnApplicationBootstrap, OnApplicationShutdown {
  /** The type of a row, or null: anything may have happened. */
  readonly heard = new Subject<string | null>();
  private readonly log = new Logger(JournalNotices.name);
  private client: Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private ended = false;

  constructor(private readonly database: Database) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.ended = true;
    if (this.timer) clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    if (this.ended) return;
    const client = this.database.separateClient({
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: 2 * ANSWER_MS,
    });
    this.client = client;
    let lost = false;
    const onLoss = (): void => {
      if (lost) return;
      lost = true;
      void client.end().catch(() => undefined);
      this.later(RECONNECT_MS, () => this.connect());
    };
    client.on('error', onLoss).on('end', onLoss);
    client.on('notification', ({ payload }) => this.heard.next(payload ?? null));
    const begun = Date.now();
    try {
      await client.connect();
      await client.query(`LISTEN ${NOTICE_CHANNEL}`);
      this.heard.next(null);
      this.later(PROBE_MS, () => this.probe(client, onLoss));
    } catch (fault) {
      this.log.warn(`Notices can't be heard: ${fault instanceof Error ? fault.message : String(fault)}`);
      // Not refused, but not answered either: then the pool's connections lead into nowhere too.
      if (Date.now() - begun >= ANSWER_MS) this.database.cutConnections();
      onLoss();
    }
  }

  private async probe(client: Client, onLoss: () => void): Promise<void> {
    const begun = Date.now();
    const answer = client.query('SELECT 1').then(
      () => 'here' as const,
      () => 'broken' as const,
    );
    const outcome = await Promise.race([answer, pause(ANSWER_MS, 'silent' as const, { ref: false })]);
    if (outcome === 'broken' || this.ended) return onLoss();
    const heldUp = Date.now() - begun > ANSWER_MS + OWN_DELAY_MS;
    if (outcome === 'here' || heldUp) return this.later(PROBE_MS, () => this.probe(client, onLoss));
    this.log.warn('The database does not answer; its connections are given up');
    this.database.cutConnections();
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    onLoss();
  }

  /** The one next step: a later one replaces it. */
  private later(ms: number, step: () => Promise<void>): void {
    if (this.ended) return;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => void step(), ms);
    this.timer.unref();
  }
}
