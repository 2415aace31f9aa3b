import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ChoresWorker } from '../chores/chores.worker.js';
import { TransactionsService } from '../database/transactions.service.js';
import {
  attachRange,
  carveMonth,
  DELIVERIES,
  JOURNAL,
  type Month,
  monthAfter,
  PARTITIONED_TABLES,
  type PartitionedTable,
  PARTITIONS_LOCK,
  partitionsOf,
  positionOf,
} from './partitions.js';

/** Every statement waits behind one that waits for a partitioned table, so this one gives up soon and comes again. */
const PATIENCE = `SELECT set_config('lock_timeout', '500', true), set_config('statement_timeout', '120000', true)`;

/**
 * Gives each month its partitions, and the journal the positions of the month (decision 0046). Nothing depends on when it
 * runs: until then the journal goes on in the month before, and other rows are in the partition `later`.
 */
@Injectable()
export class MonthTurnService {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly transactions: TransactionsService,
  ) {}

  /** Makes the partitions of `present` and of the month after it, and turns the journal to `present`. */
  async turn(present: Month): Promise<void> {
    for (const month of [present, monthAfter(present)])
      for (const table of PARTITIONED_TABLES) await this.exclusively(() => this.create(table, month));
    await this.exclusively(() => this.begin(present));
  }

  /** Runs a change of partitions in a transaction that no other process does the same in. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.transactions.run(async () => {
      await this.source.query(PATIENCE);
      await this.source.query('SELECT pg_advisory_xact_lock($1)', [PARTITIONS_LOCK]);
      return work();
    });
  }

  private async create(table: PartitionedTable, month: Month): Promise<void> {
    const present = await partitionsOf(this.source, table);
    if (present.some((partition) => partition.month === month)) return;
    if (table.by === 'time') return carveMonth(this.source, table, month);
    const [from, to] = [positionOf(month), positionOf(monthAfter(month))].map(String);
    await attachRange(this.source, table, { month, from: from!, to: to! });
  }

  /**
   * Moves the sequence to the first position of the month. That takes effect at once, so the partitions were committed
   * before. `begun_at` is taken after it: a row of a transaction that began later has a position of the month.
   */
  private async begin(present: Month): Promise<void> {
    const tables = await Promise.all([JOURNAL, DELIVERIES].map((table) => partitionsOf(this.source, table)));
    const [known] = await this.source.query<{ last: Month }[]>(
      'SELECT max(month) AS last FROM journal_months',
    );
    if (known!.last >= present || !tables.every((all) => all.some(({ month }) => month === present))) return;
    const position = positionOf(present);
    await this.source.query(
      `SELECT setval('journal_position_seq', $1, false) FROM journal_position_seq WHERE last_value < $1`,
      [position],
    );
    await this.source.query('INSERT INTO journal_months VALUES ($1, $2, clock_timestamp())', [
      present,
      position,
    ]);
  }
}

/** Turns the month, by the clock of the database: all processes agree on it. */
@Injectable()
export class MonthTurnWorker {
  constructor(
    chores: ChoresWorker,
    @InjectDataSource() private readonly source: DataSource,
    private readonly months: MonthTurnService,
  ) {
    chores.add({ name: 'partitions of the month', everySeconds: 600, run: () => this.turn() });
  }

  private async turn(): Promise<number> {
    const [row] = await this.source.query<{ month: Month }[]>(
      `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') AS month`,
    );
    await this.months.turn(row!.month);
    return 0;
  }
}
