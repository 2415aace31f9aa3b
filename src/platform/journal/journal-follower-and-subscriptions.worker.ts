import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RepeatedFailure } from '../failures/repeated-failure.js';
import { JournalConnectionClient } from './journal-connection.client.js';
import { JournalHeadRepository, MOST_ROWS } from './journal-rows-and-months.repository.js';
import { SafeHead } from './safe-head.js';

/**
 * Runs `work` one call at a time: when it is woken, and at least every `interval()` milliseconds. A wake-up during a run
 * leads to one further run, since what that run has read may be older.
 */
export class PacedTask {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isWoken = false;
  private hasEnded = false;

  /**
   * @param work must not throw
   * @param interval asked after each run; Infinity for a task that runs only when it is woken
   */
  constructor(
    private readonly work: () => Promise<void>,
    private readonly interval: () => number,
  ) {}

  wake(): void {
    this.isWoken = true;
    if (!this.hasEnded) this.running ??= this.run();
  }

  /** Waits for the run that is under way. */
  async end(): Promise<void> {
    this.hasEnded = true;
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    while (this.isWoken && !this.hasEnded) {
      this.isWoken = false;
      await this.work();
    }
    this.running = null;
    this.wakeLater();
  }

  private wakeLater(): void {
    const interval = this.interval();
    if (this.hasEnded || interval === Infinity) return;
    this.timer = setTimeout(() => this.wake(), interval);
    this.timer.unref();
  }
}

/** What has happened since a subscriber was last called. */
export interface JournalUpdate {
  /** Types of the rows that have become visible, also of rows above the head. */
  types: ReadonlySet<string>;
  /** False when rows may have been missed: the subscriber checks everything. */
  isComplete: boolean;
}

export interface JournalSubscriber {
  /** What it does, for log lines. */
  name: string;
  /** Types that it is called for. */
  types: RegExp;
  /** It is also called when this time has passed without news, and the journal is polled at least as often. */
  everyMs?: number;
  /** Called once at first, then one call at a time. When it throws, it is called again with the same news. */
  handle(update: JournalUpdate): Promise<void>;
}

/** The pause after an error, such as a database that is away. */
const RETRY_MS = 1_000;

/** Collects the news of one subscriber and calls it. A slow subscriber holds up neither the follower nor the others. */
export class JournalSubscription {
  private readonly failure: RepeatedFailure;
  private readonly task: PacedTask;
  private types = new Set<string>();
  private isComplete = false;
  private hasFailed = false;

  constructor(private readonly subscriber: JournalSubscriber) {
    this.failure = new RepeatedFailure(new Logger(JournalSubscription.name), subscriber.name);
    this.task = new PacedTask(
      () => this.call(),
      () => (this.hasFailed ? RETRY_MS : this.everyMs),
    );
    this.task.wake();
  }

  get everyMs(): number {
    return this.subscriber.everyMs ?? Infinity;
  }

  /** Calls the subscriber when something here concerns it. */
  offer(types: readonly string[], isComplete: boolean): void {
    const wanted = types.filter((type) => this.subscriber.types.test(type));
    if (wanted.length > 0 || !isComplete) this.add(wanted, isComplete);
  }

  /** Calls the subscriber again as if rows may have been missed. */
  repeat(): void {
    this.add([], false);
  }

  /** Waits for the call that is under way. */
  end(): Promise<void> {
    return this.task.end();
  }

  private add(types: Iterable<string>, isComplete: boolean): void {
    for (const type of types) this.types.add(type);
    this.isComplete &&= isComplete;
    this.task.wake();
  }

  private async call(): Promise<void> {
    const { types, isComplete } = this;
    this.types = new Set();
    this.isComplete = true;
    try {
      await this.subscriber.handle({ types, isComplete });
      this.hasFailed = false;
      this.failure.succeeded();
    } catch (error) {
      this.failure.failed(error);
      this.hasFailed = true;
      this.types = new Set([...types, ...this.types]);
      this.isComplete &&= isComplete;
    }
  }
}

/** How often the journal is read at least. It is the probe of the connection too. */
const POLL_MS = 1_000;

/**
 * Follows the journal for every part of this process that acts on it: the one connection that listens, the one poll,
 * the one head.
 *
 * Each round reads the rows above the head in one statement and gives two kinds of news to the subscribers:
 *
 * - **Types** of rows that have become visible, also of rows above the head. They say that something of the kind was
 *   committed, in whichever process, and come within milliseconds where PostgreSQL notifies of it.
 * - **The head**: every row up to it has committed or never will. A subscriber that reads rows in order keeps a
 *   position of its own and reads up to the head, so it neither misses a row nor gets one twice.
 *
 * A notification only starts the next round earlier. One that is lost costs a poll interval and nothing else.
 */
@Injectable()
export class JournalFollowerWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly failure = new RepeatedFailure(
    new Logger(JournalFollowerWorker.name),
    'The journal could not be read',
  );
  private readonly subscriptions = new Set<JournalSubscription>();
  private readonly rounds = new PacedTask(
    () => this.round(),
    () => this.pollMs,
  );
  private safeHead: SafeHead | null = null;
  /** Positions that the last look saw above the head. */
  private seen: ReadonlySet<number> = new Set();
  private hasReconnected = false;

  constructor(
    private readonly connection: JournalConnectionClient,
    private readonly repository: JournalHeadRepository,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.connection.notified.subscribe(() => this.rounds.wake());
    this.connection.connected.subscribe(() => {
      this.hasReconnected = true;
      this.rounds.wake();
    });
    await this.connection.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.subscriptions].map((subscription) => subscription.end()));
    await this.rounds.end();
    await this.connection.end();
  }

  /** Calls the subscriber at once and from then on, until `unsubscribe`. */
  subscribe(subscriber: JournalSubscriber): JournalSubscription {
    const subscription = new JournalSubscription(subscriber);
    this.subscriptions.add(subscription);
    if (this.connection.isConnected) this.rounds.wake();
    return subscription;
  }

  /** Waits for the call of the subscriber that is under way; no other follows. */
  async unsubscribe(subscription: JournalSubscription): Promise<void> {
    this.subscriptions.delete(subscription);
    await subscription.end();
  }

  /** Every row up to this position has committed or never will; null until that is known. */
  get head(): number | null {
    return this.safeHead?.position ?? null;
  }

  /** A position for a reader that begins now: every row that commits from now on lies above it. */
  beginning(): Promise<number> {
    return this.repository.beginning(this.head);
  }

  private get pollMs(): number {
    return Math.min(POLL_MS, ...[...this.subscriptions].map(({ everyMs }) => everyMs));
  }

  private async round(): Promise<void> {
    if (!this.connection.isConnected) return;
    const isComplete = !this.hasReconnected;
    this.hasReconnected = false;
    try {
      const types = await this.read(isComplete);
      for (const subscription of this.subscriptions) subscription.offer(types, isComplete);
      this.failure.succeeded();
    } catch (error) {
      this.hasReconnected ||= !isComplete;
      this.failure.failed(error);
    }
  }

  /** Moves the head as far as is safe. Returns the types of rows that have become visible since the last round. */
  private async read(isComplete: boolean): Promise<string[]> {
    const head = await this.headToMove(isComplete);
    const types = new Set<string>();
    for (;;) {
      const from = head.readFrom;
      const rows = await this.look(head, types);
      if (rows < MOST_ROWS || head.readFrom === from) return [...types];
    }
  }

  /** After a reconnect it may be another database, restored from a backup: its positions may be lower. */
  private async headToMove(isComplete: boolean): Promise<SafeHead> {
    if (this.safeHead && isComplete) return this.safeHead;
    const last = await this.repository.last();
    if (!this.safeHead || last < this.safeHead.readFrom) this.safeHead = new SafeHead(last);
    return this.safeHead;
  }

  /** Adds new types to `types`. Returns how many rows there were. */
  private async look(head: SafeHead, types: Set<string>): Promise<number> {
    const hasNewGaps = await this.advance(head, types);
    if (!hasNewGaps) return this.seen.size;
    head.bar(await this.repository.newTransactionId());
    await this.advance(head, types);
    return this.seen.size;
  }

  private async advance(head: SafeHead, types: Set<string>): Promise<boolean> {
    const look = await this.repository.look(head.readFrom, head.isHeldUp(performance.now()));
    for (const { position, type } of look.rows) if (!this.seen.has(position)) types.add(type);
    this.seen = new Set(look.rows.map(({ position }) => position));
    return head.advance(look, performance.now());
  }
}
