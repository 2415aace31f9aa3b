import { Client, type ClientConfig } from 'pg';
import { isConnectionLost, OutcomeUnknown, WritesUnconfirmed } from './postgres-errors.js';

/** How long a request waits for the confirmation of its write: less than others wait for its connection. */
const CONFIRMATION_MS = 3_500;
/** How often the database is asked again whether a write waits for a standby. */
const LOOK_AGAIN_MS = 1_000;
/** PostgreSQL ends every statement of the pool after 10 s, so that a later response can only be that of its commit. */
const LATE_MS = 11_000;
/** After this time, a connection whose write does not wait for a standby leads nowhere: its response was lost. */
const LOST_MS = 30_000;

/** PostgreSQL shows what a session waits for to the sessions of the same role. */
const WAITS_FOR_STANDBY = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event = 'SyncRep' AND state_change < now() - interval '2 seconds' LIMIT 1`;

/**
 * A write outside of a transaction is committed together with its statement. Many reads begin with WITH too: only a part that
 * writes makes one a write, or reads would be refused as well while no write is confirmed.
 */
const WRITE = /^\s*(?:INSERT|UPDATE|DELETE|MERGE|WITH\b[^]*\b(?:INSERT|UPDATE|DELETE|MERGE))\b/i;

/**
 * Returns whether a write of this database waits for a standby, or null where the database does not say. It asks beside
 * the pool, whose connections may all be waiting.
 */
export async function waitsForStandby(address: ClientConfig): Promise<boolean | null> {
  const client = new Client({ ...address, query_timeout: 1_000, connectionTimeoutMillis: 1_000 });
  // The pending call reports the error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(WAITS_FOR_STANDBY)).rowCount === 1;
  } catch {
    // The database is away, or has no connection left.
    return null;
  } finally {
    // Its only statement has ended.
    void client.end().catch(() => undefined);
  }
}

/** What the limit of a statement depends on. A read has none here: `statement_timeout` ends it. */
export type StatementKind = 'commit' | 'write' | 'begin' | 'other';

export function kindOf(text: string | undefined, isInTransaction: boolean): StatementKind {
  if (text === 'COMMIT') return 'commit';
  if (text === 'START TRANSACTION') return 'begin';
  return !isInTransaction && text !== undefined && WRITE.test(text) ? 'write' : 'other';
}

/**
 * The writes of a pool that the database has not confirmed in time, because a synchronous standby is away. Each keeps its
 * connection until the response comes: PostgreSQL goes on waiting when a connection is closed, so that refused requests
 * would use up the connections of the server. As soon as the database says that it waits for a standby, further writes are
 * refused before they begin. At most half of the pool is kept so: the other half serves reads.
 */
export class UnconfirmedWrites {
  private waiting = 0;
  private readonly most: number;
  private isStandbyAway = false;

  constructor(poolSize: number) {
    this.most = Math.ceil(poolSize / 2);
  }

  get count(): number {
    return this.waiting;
  }

  get isFull(): boolean {
    return this.waiting >= this.most;
  }

  /** Whether another write would wait as well. */
  get areHopeless(): boolean {
    return this.isFull || this.isStandbyAway;
  }

  add({ settled }: OutcomeUnknown): void {
    this.waiting += 1;
    void settled.then(() => this.remove());
  }

  private remove(): void {
    this.waiting -= 1;
    if (this.waiting === 0) this.isStandbyAway = false;
  }

  /** The database says that a write waits for a standby. */
  noteStandbyAway(): void {
    this.isStandbyAway = this.waiting > 0;
  }
}

/** The wait of one connection for the confirmation of its writes. */
export class Confirmation {
  /** The write that was given up, and whose response has not come. */
  private givenUp: OutcomeUnknown | null = null;

  /**
   * @param asks whether a write waits for a standby, see `waitsForStandby`
   * @param close ends the connection, which settles what was given up
   */
  constructor(
    private readonly writes: UnconfirmedWrites,
    private readonly asks: () => Promise<boolean | null>,
    private readonly close: () => void,
  ) {}

  get isOpen(): boolean {
    return this.givenUp !== null;
  }

  /** Calls `settled` once the response to the write that was given up has come, or the connection has ended. */
  whenSettled(settled: (isConfirmed: boolean) => void): void {
    void this.givenUp?.settled.then(settled);
  }

  /**
   * Sends a statement of this kind, and waits for its response within the limit.
   * @throws {OutcomeUnknown} when the outcome of a write is not known @throws {WritesUnconfirmed} while no write is confirmed
   */
  async of<Result>(kind: StatementKind, send: () => Promise<Result>): Promise<Result> {
    // It would wait behind the write that was given up; so would the ROLLBACK of that transaction.
    if (this.givenUp) throw this.givenUp;
    if (kind !== 'commit' && this.writes.areHopeless) throw new WritesUnconfirmed();
    const answer = send();
    if (kind === 'begin') return answer;
    const patience = this.patienceWith(kind, answer);
    try {
      return await Promise.race([answer, patience.late]);
    } catch (error) {
      if (error instanceof OutcomeUnknown || !isConnectionLost(error)) throw error;
      throw new OutcomeUnknown(Promise.resolve(false));
    } finally {
      patience.end();
    }
  }

  /**
   * Returns a promise that rejects when the write is given up and never resolves, and what ends the patience. It is no
   * abort signal, whose error and event took a sixtieth of the time of an update.
   */
  private patienceWith(
    kind: 'commit' | 'write' | 'other',
    answer: Promise<unknown>,
  ): { late: Promise<never>; end: () => void } {
    const begun = performance.now();
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const look = async (): Promise<void> => {
        const isSure = kind === 'commit' || performance.now() - begun > LATE_MS;
        const isWaiting = isSure || (await this.asks()) === true;
        if (isOver) return;
        if (isWaiting) reject(this.giveUp(answer));
        else timer = setTimeout(() => void look(), LOOK_AGAIN_MS);
      };
      timer = setTimeout(() => void look(), CONFIRMATION_MS);
    });
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
    };
    return { late, end };
  }

  private giveUp(answer: Promise<unknown>): OutcomeUnknown {
    const settled = answer.then(
      () => true,
      // The caller was refused before this error came.
      () => false,
    );
    this.givenUp = new OutcomeUnknown(settled);
    void settled.then(() => (this.givenUp = null));
    if (this.writes.isFull) this.close();
    else {
      this.writes.add(this.givenUp);
      void this.watch(performance.now());
    }
    return this.givenUp;
  }

  /** Asks what the write waits for, as long as it waits. */
  private async watch(since: number): Promise<void> {
    const isWaiting = await this.asks();
    if (!this.isOpen) return;
    if (isWaiting === true) this.writes.noteStandbyAway();
    if (isWaiting === false && performance.now() - since > LOST_MS) this.close();
    else setTimeout(() => void this.watch(since), LOOK_AGAIN_MS).unref();
  }
}
