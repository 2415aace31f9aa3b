import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ChoresWorker } from '../chores/chores.worker.js';
import { Settings } from '../config/settings.js';
import { MonthTurnService } from './month-turn.worker.js';
import {
  attachEarlier,
  monthAfter,
  type Partition,
  type PartitionedTable,
  partitionName,
  partitionsOf,
  startOf,
  type Statements,
} from './partitions.js';

/** What the rows of a month are still needed for. */
export interface Need {
  /** A sentence for the log. */
  because: string;
  /** SQL that finds a row while it holds. */
  found: (partition: Partition) => string;
}

/** What keeps the months of a table. */
export interface MonthRule {
  table: PartitionedTable;
  /** The column with the time of a row. */
  time: string;
  /** Days that the settings promise to keep every row; 0 is for ever. */
  days: number;
  needs: Need[];
}

/**
 * Drops a month. In a table by time every time keeps a partition: `earlier` takes the place of the oldest month, and an
 * empty partition that of another. The months of the journal need none, since its positions are given out once.
 */
export async function dropMonth(
  database: Statements,
  table: PartitionedTable,
  { month }: Partition,
): Promise<void> {
  const partition = partitionName(table, month);
  if (table.by === 'position') return void (await database.query(`DROP TABLE ${partition}`));
  const [oldest] = await partitionsOf(database, table);
  if (oldest?.month === month) {
    await database.query(`ALTER TABLE ${table.name} DETACH PARTITION ${table.name}_earlier`);
    await database.query(`DROP TABLE ${partition}`);
    await attachEarlier(database, table, monthAfter(month));
  } else {
    await database.query(`DROP TABLE ${partition}`);
    await database.query(
      `CREATE TABLE ${partition} PARTITION OF ${table.name}
       FOR VALUES FROM ('${startOf(month)}') TO ('${startOf(monthAfter(month))}')`,
    );
  }
}

const IS_CLOSED = {
  position: 'SELECT 1 FROM journal_months WHERE from_position >= $1::bigint LIMIT 1',
  time: 'SELECT 1 WHERE now() >= $1::timestamptz',
};

/** Whether no row is added to the month any more: its successor has begun. */
export async function isClosed(
  database: Statements,
  { table }: Pick<MonthRule, 'table'>,
  { month, to }: Partition,
): Promise<boolean> {
  const end = table.by === 'position' ? to.replaceAll("'", '') : startOf(monthAfter(month));
  return (await database.query(IS_CLOSED[table.by], [end])).length > 0;
}

/** Returns why the month has to stay whatever the operator wants, or null. */
export async function needOf(
  database: Statements,
  { needs }: MonthRule,
  partition: Partition,
): Promise<string | null> {
  for (const { because, found } of needs)
    if ((await database.query(`${found(partition)} LIMIT 1`)).length > 0) return because;
  return null;
}

/** Whether every row of the month is older than the settings promise to keep it. */
export async function isPastRetention(
  database: Statements,
  { table, time, days }: MonthRule,
  { month }: Partition,
): Promise<boolean> {
  if (days === 0) return false;
  const end = await database.query('SELECT 1 WHERE now() - make_interval(days => $1) >= $2::timestamptz', [
    days,
    startOf(monthAfter(month)),
  ]);
  if (end.length === 0) return false;
  const young = await database.query(
    `SELECT 1 FROM ${partitionName(table, month)} WHERE ${time} >= now() - make_interval(days => $1) LIMIT 1`,
    [days],
  );
  return young.length === 0;
}

/** What went with a month. */
export interface DroppedMonth extends Partition {
  rows: number;
  until: Date | null;
}

/**
 * Drops months by age, the oldest first (contract §8.9). A month goes as a whole, once all its rows are older than the
 * setting and nothing needs one of them. With RETENTION_ARCHIVE it also has to be in the archive.
 */
@Injectable()
export class MonthRetentionService {
  private readonly log = new Logger(MonthRetentionService.name);

  constructor(
    private readonly chores: ChoresWorker,
    @InjectDataSource() private readonly source: DataSource,
    private readonly turn: MonthTurnService,
    private readonly settings: Settings,
  ) {}

  /** Adds the chore of a rule. @param dropped runs in the transaction that drops a month */
  keep(rule: MonthRule, dropped: (month: DroppedMonth) => Promise<void> = async () => undefined): void {
    if (rule.days === 0) return;
    this.chores.add({
      name: `old months of ${rule.table.name}`,
      everySeconds: 3_600,
      run: () => this.dropOld(rule, dropped),
    });
  }

  /** Returns 0, since it drops all that can be dropped at once. */
  async dropOld(rule: MonthRule, dropped: (month: DroppedMonth) => Promise<void>): Promise<number> {
    await this.dropStray(rule);
    for (const partition of await partitionsOf(this.source, rule.table)) {
      if (!(await isPastRetention(this.source, rule, partition))) break;
      const month = await this.turn.exclusively(() => this.drop(rule, partition, dropped));
      if (month)
        this.log.log(`The retention dropped ${month.month} of ${rule.table.name}: ${month.rows} rows.`);
    }
    return 0;
  }

  /** Rows with a time before the first month are few: a clock was wrong. They have no month to go with. */
  private async dropStray({ table, time, days }: MonthRule): Promise<void> {
    if (table.by === 'position' || this.settings.retentionArchive) return;
    await this.source.query(
      `DELETE FROM ${table.name}_earlier WHERE ${time} < now() - make_interval(days => $1)`,
      [days],
    );
  }

  private async drop(
    rule: MonthRule,
    partition: Partition,
    dropped: (month: DroppedMonth) => Promise<void>,
  ): Promise<DroppedMonth | null> {
    const reason = await this.reasonToStay(rule, partition);
    if (reason) {
      this.log.warn(
        `${partition.month} of ${rule.table.name} is older than its retention and stays: ${reason}.`,
      );
      return null;
    }
    const [row] = await this.source.query<{ rows: number; until: Date | null }[]>(
      `SELECT count(*)::int AS rows, max(${rule.time}) AS until FROM ${partitionName(rule.table, partition.month)}`,
    );
    const month = { ...partition, ...row! };
    if (month.rows === 0 && rule.table.by === 'time' && !(await this.isOldest(rule, partition))) return null;
    await dropMonth(this.source, rule.table, partition);
    await this.source.query(
      'UPDATE archived_months SET dropped_at = now() WHERE table_name = $1 AND month = $2',
      [rule.table.name, month.month],
    );
    await dropped(month);
    return month;
  }

  /** An empty month between others is the place of one that was dropped. */
  private async isOldest({ table }: MonthRule, { month }: Partition): Promise<boolean> {
    return (await partitionsOf(this.source, table))[0]?.month === month;
  }

  private async reasonToStay(rule: MonthRule, partition: Partition): Promise<string | null> {
    if (!(await isClosed(this.source, rule, partition))) return 'the month has not ended';
    const [archive] = await this.source.query<{ restored: boolean }[]>(
      `SELECT restored_at IS NOT NULL AS restored FROM archived_months WHERE table_name = $1 AND month = $2`,
      [rule.table.name, partition.month],
    );
    if (archive?.restored) return 'it was restored; npm run archive removes it again';
    if (this.settings.retentionArchive && !archive) return 'it is not archived; run npm run archive';
    return needOf(this.source, rule, partition);
  }
}
