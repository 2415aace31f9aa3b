import { Injectable } from '@nestjs/common';
import { ChoresWorker } from '../chores/chores.worker.js';
import { DatabaseService } from '../database/database.service.js';
import type { Month } from './months.js';
import { MonthTurnService } from './month-turn.service.js';

/** Turns the month, by the clock of the database: all processes agree on it. */
@Injectable()
export class MonthTurnWorker {
  constructor(
    chores: ChoresWorker,
    private readonly database: DatabaseService,
    private readonly months: MonthTurnService,
  ) {
    chores.add({ name: 'partitions of the month', everySeconds: 600, run: () => this.turn() });
  }

  private async turn(): Promise<number> {
    const row = await this.database.row<{ month: Month }>(
      `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') AS month`,
    );
    await this.months.turn(row!.month);
    return 0;
  }
}
