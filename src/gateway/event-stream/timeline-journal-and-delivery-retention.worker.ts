import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ChoresWorker } from '../../platform/chores/chores.worker.js';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import {
  type DroppedMonth,
  MonthRetentionService,
  type MonthRule,
  type Need,
} from '../../platform/partitions/month-retention.service.js';
import { DELIVERIES, JOURNAL } from '../../platform/partitions/partitions.js';

/** While webhooks are enabled, the feed turns each row into deliveries. */
const UNFED: Need = {
  because: 'a webhook has still to receive events of it',
  found: ({ from, to }) => `
    SELECT 1 FROM journal j WHERE j.position >= ${from} AND j.position < ${to}
      AND j.position > (SELECT position FROM webhook_feed) AND EXISTS (SELECT 1 FROM webhooks WHERE NOT disabled)`,
};

const PENDING: Need = {
  because: 'deliveries of its events are pending',
  found: ({ from, to }) => `
    SELECT 1 FROM webhook_deliveries WHERE event_position >= ${from} AND event_position < ${to} AND status = 'pending'`,
};

const DELIVERED: Need = {
  because: 'the log of deliveries still has its events',
  found: ({ from, to }) => `
    SELECT 1 FROM webhook_deliveries WHERE event_position >= ${from} AND event_position < ${to}`,
};

type Days = Pick<Settings, 'deliveryRetentionDays' | 'timelineRetentionDays'>;

/** The log of webhooks: a delivery lies in the month of its event. */
export const deliveriesRule = ({ deliveryRetentionDays: days }: Days): MonthRule => ({
  table: DELIVERIES,
  time: 'created_at',
  days,
  needs: [UNFED, PENDING],
});

/** The journal with the timelines of issues. An event can be delivered again as long as the log has its delivery. */
export const journalRule = ({ timelineRetentionDays: days }: Days): MonthRule => ({
  table: JOURNAL,
  time: 'created_at',
  days,
  needs: [UNFED, DELIVERED],
});

/** Rows of one deletion. */
const BATCH = 5_000;

/** The rows that a deletion removed: how many, and the newest of them. */
export interface Pruned {
  rows: number;
  until: Date | null;
  /** The greatest position, as text. */
  last: string | null;
}

/** A month that was restored stays, and with RETENTION_ARCHIVE so does one that no archive has. */
const keptMonths = (isArchived: boolean) => `
  NOT EXISTS (SELECT 1 FROM archived_months a WHERE a.table_name = 'journal' AND a.restored_at IS NOT NULL
    AND position >= a.from_bound::bigint AND position < a.to_bound::bigint)
  AND ${
    isArchived
      ? `EXISTS (SELECT 1 FROM archived_months a WHERE a.table_name = 'journal'
          AND position >= a.from_bound::bigint AND position < a.to_bound::bigint)`
      : 'true'
  }`;

/**
 * Deletes the oldest rows of no issue, by their index. What is still needed stays: the newest row, from which a follower
 * of the journal begins, every row that an enabled webhook has not been fed, and the events of the log of deliveries.
 */
const prune = (isArchived: boolean) => `
  WITH old AS (
    SELECT position FROM journal
    WHERE issue_id IS NULL AND created_at < now() - make_interval(days => $1::int)
      AND position < (SELECT max(position) FROM journal)
      AND (NOT EXISTS (SELECT 1 FROM webhooks WHERE NOT disabled) OR position <= (SELECT position FROM webhook_feed))
      AND NOT EXISTS (SELECT 1 FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id
        WHERE d.event_position = journal.position)
      AND ${keptMonths(isArchived)}
    ORDER BY created_at, position LIMIT ${BATCH}
  ), gone AS (
    DELETE FROM journal WHERE position = ANY(ARRAY(SELECT position FROM old)) RETURNING created_at, position
  )
  SELECT count(*)::int AS rows, max(created_at) AS until, max(position)::text AS last FROM gone`;

@Injectable()
export class TimelineAndDeliveryRetentionRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** Deletes one batch, in a transaction that the append-only rule of the table admits. */
  async prune(days: number, isArchived = false): Promise<Pruned> {
    await this.source.query(`SELECT set_config('awp.journal_retention', 'on', true)`);
    const [row] = await this.source.query<Pruned[]>(prune(isArchived), [days]);
    await this.source.query(`SELECT set_config('awp.journal_retention', '', true)`);
    if (row!.last !== null) await this.markPruned(Number(row!.last), row!.until);
    return row!;
  }

  /** Remembers that rows up to this position are gone, for readers that would go on before it. */
  async markPruned(position: number, until: Date | null): Promise<void> {
    await this.source.query(
      'UPDATE journal_pruned SET position = greatest(position, $1), until = greatest(until, $2)',
      [position, until],
    );
  }
}

/** Drops old months of deliveries, and then of the journal (contract §8.9). */
@Injectable()
export class EventMonthsWorker {
  constructor(
    months: MonthRetentionService,
    private readonly settings: Settings,
    private readonly rows: TimelineAndDeliveryRetentionRepository,
    private readonly journal: JournalService,
  ) {
    months.keep(deliveriesRule(settings));
    months.keep(journalRule(settings), (month) => this.record(month));
  }

  private async record({ month, rows, until, to }: DroppedMonth): Promise<void> {
    await this.rows.markPruned(Number(to.replaceAll("'", '')) - 1, until);
    await this.journal.record({
      type: 'journal.pruned',
      subject: { type: 'journal', id: null },
      data: { rows, until, days: this.settings.timelineRetentionDays, month },
    });
  }
}

/**
 * Deletes rows of the journal after JOURNAL_RETENTION_DAYS (contract §8.2). Each batch leaves one row that says how many
 * rows went and up to when, so that the audit never has a hole without an explanation.
 */
@Injectable()
export class TimelineAndDeliveryRetentionWorker {
  constructor(
    chores: ChoresWorker,
    private readonly settings: Settings,
    private readonly rows: TimelineAndDeliveryRetentionRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {
    const days = settings.journalRetentionDays;
    if (days > 0) chores.add({ name: 'old journal rows', everySeconds: 3_600, run: () => this.prune(days) });
  }

  private prune(days: number): Promise<number> {
    return this.transactions.run(async () => {
      const { rows, until } = await this.rows.prune(days, this.settings.retentionArchive);
      if (rows > 0)
        await this.journal.record({
          type: 'journal.pruned',
          subject: { type: 'journal', id: null },
          data: { rows, until, days },
        });
      return rows;
    });
  }
}
