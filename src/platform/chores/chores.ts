import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database } from '../database/database.js';

const LOOK_EVERY_MS = 60_000;

/** Something that is to be done now and then, whichever process does it. */
export interface Chore {
  /** Unique; under it the database remembers when it was done. */
  name: string;
  everySeconds: number;
  /** Does a bounded part; called again while it gives more than 0, the number of rows that it dealt with. */
  run: () => Promise<number>;
}

/**
 * The service's schedule. All processes look each minute and at start, and one of them takes a chore that is
 * due: taking it is one conditional write, so a chore runs once an interval however many processes there are.
 */
@Injectable()
export class Chores implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Chores.name);
  private readonly chores: Chore[] = [];
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private stopping = false;

  constructor(private readonly database: Database) {}

  add(chore: Chore): void {
    this.chores.push(chore);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    this.look();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    if (this.timer) clearInterval(this.timer);
    await this.round;
  }

  private look(): void {
    this.round ??= this.doAllDue().finally(() => (this.round = null));
  }

  private async doAllDue(): Promise<void> {
    for (const chore of this.chores)
      try {
        if (!this.stopping && (await this.take(chore))) await this.do(chore);
      } catch (fault) {
        this.log.warn(`${chore.name}: ${fault instanceof Error ? fault.message : 'failed without a reason'}`);
      }
  }

  private async do(chore: Chore): Promise<void> {
    let rows = 0;
    for (let part = 1; part > 0 && !this.stopping;) rows += part = await chore.run();
    if (rows > 0) this.log.log(`${chore.name}: ${rows} rows`);
  }

  private async take({ name, everySeconds }: Chore): Promise<boolean> {
    const taken = await this.database.change(
      `INSERT INTO chores (name, ran_at) VALUES ($1, now())
       ON CONFLICT (name) DO UPDATE SET ran_at = now()
       WHERE chores.ran_at < now() - make_interval(secs => $2::int)`,
      [name, everySeconds],
    );
    return taken === 1;
  }
}
