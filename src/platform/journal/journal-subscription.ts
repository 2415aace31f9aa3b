import { Logger } from '@nestjs/common';
import { RepeatedFailure } from '../failures/repeated-failure.js';

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
