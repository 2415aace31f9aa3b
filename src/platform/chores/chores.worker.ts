import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Settings } from '../config/settings.js';
import { RepeatedFailure } from '../failures/repeated-failure.js';
import { Chore } from './chore.entity.js';

const CHECK_EVERY_MS = 60_000;

/** A periodic task that any process of the service may run. */
export interface PeriodicTask {
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
  private readonly chores: PeriodicTask[] = [];
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private stopping = false;

  constructor(
    @InjectRepository(Chore) private readonly runs: Repository<Chore>,
    private readonly settings: Settings,
  ) {}

  /** The chores of the service, which are the same in every process. */
  get all(): readonly Pick<PeriodicTask, 'name' | 'everySeconds'>[] {
    return this.chores;
  }

  add(chore: PeriodicTask): void {
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
        if (!this.stopping && (await this.take(chore))) await this.runTaken(chore);
      } catch (error) {
        hasFailed = true;
        this.failure.failed(error);
      }
    if (!hasFailed) this.failure.succeeded();
  }

  /** Takes a chore that is due. @returns false when it is not due, or another process has taken it */
  private async take({ name, everySeconds }: PeriodicTask): Promise<boolean> {
    const { raw } = await this.runs
      .createQueryBuilder('kept')
      .insert()
      .values({ name, ranAt: () => 'now()' })
      .orUpdate(['ran_at'], ['name'], {
        overwriteCondition: {
          where: 'kept.ran_at < now() - make_interval(secs => :everySeconds::int)',
          parameters: { everySeconds },
        },
      })
      .returning('name')
      .execute();
    return (raw as unknown[]).length === 1;
  }

  private async runTaken(chore: PeriodicTask): Promise<void> {
    const { name } = chore;
    try {
      await this.run(chore);
      if (!this.stopping) await this.runs.update({ name }, { succeededAt: () => 'now()', failures: 0 });
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown error';
      this.log.warn(`The chore "${name}" failed and runs again when it is next due: ${reason}`);
      await this.runs.increment({ name }, 'failures', 1);
    }
  }

  private async run(chore: PeriodicTask): Promise<void> {
    let rows = 0;
    for (let part = 1; part > 0 && !this.stopping;) rows += part = await chore.run();
    if (rows > 0) this.log.log(`The chore "${chore.name}" processed ${rows} rows.`);
  }
}
