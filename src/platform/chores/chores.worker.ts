import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { RepeatedFailure } from '../failures/repeated-failure.js';

@Injectable()
export class ChoresRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Takes a chore that is due. @returns false when it is not due, or another process has taken it */
  async take({ name, everySeconds }: { name: string; everySeconds: number }): Promise<boolean> {
    const taken = await this.database.change(
      `INSERT INTO chores (name, ran_at) VALUES ($1, now())
       ON CONFLICT (name) DO UPDATE SET ran_at = now()
       WHERE chores.ran_at < now() - make_interval(secs => $2::int)`,
      [name, everySeconds],
    );
    return taken === 1;
  }
}

const CHECK_EVERY_MS = 60_000;

/** A periodic task that any process of the service may run. */
export interface Chore {
  /** The unique name under which the database stores when the chore last ran. */
  name: string;
  everySeconds: number;
  /** Processes a bounded number of rows and returns how many. It is called again until it returns 0. */
  run: () => Promise<number>;
}

/**
 * Runs the periodic tasks of the service. Every process whose role does background work checks at start and once per
 * minute for chores that are due, and one of them takes each. Taking a chore is one conditional write, so it runs once per
 * interval in all processes together.
 */
@Injectable()
export class ChoresWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ChoresWorker.name);
  private readonly failure = new RepeatedFailure(this.log, 'Chores that are due could not be looked for');
  private readonly chores: Chore[] = [];
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private stopping = false;

  constructor(
    private readonly repository: ChoresRepository,
    private readonly settings: Settings,
  ) {}

  add(chore: Chore): void {
    this.chores.push(chore);
  }

  onApplicationBootstrap(): void {
    if (!this.settings.duties.background) return;
    this.timer = setInterval(() => this.runDue(), CHECK_EVERY_MS).unref();
    this.runDue();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    if (this.timer) clearInterval(this.timer);
    await this.round;
  }

  private runDue(): void {
    this.round ??= this.runAllDue().finally(() => (this.round = null));
  }

  private async runAllDue(): Promise<void> {
    let hasFailed = false;
    for (const chore of this.chores)
      try {
        if (!this.stopping && (await this.repository.take(chore))) await this.runTaken(chore);
      } catch (error) {
        hasFailed = true;
        this.failure.failed(error);
      }
    if (!hasFailed) this.failure.succeeded();
  }

  private async runTaken(chore: Chore): Promise<void> {
    try {
      await this.run(chore);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown error';
      this.log.warn(`The chore "${chore.name}" failed and runs again when it is next due: ${reason}`);
    }
  }

  private async run(chore: Chore): Promise<void> {
    let rows = 0;
    for (let part = 1; part > 0 && !this.stopping;) rows += part = await chore.run();
    if (rows > 0) this.log.log(`The chore "${chore.name}" processed ${rows} rows.`);
  }
}
