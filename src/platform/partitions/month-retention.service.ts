import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ChoresWorker } from '../chores/chores.worker.js';
import { Settings } from '../config/settings.js';
import { dropMonth, isClosed, isPastRetention, type MonthRule, needOf } from './kept-months.js';
import { MonthTurnService } from './month-turn.worker.js';
import { type Partition, partitionName, partitionsOf } from './partitions.js';

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
