import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/** A list that is too old only makes readers look into more partitions than they need. */
const RELOAD_MS = 600_000;

/** How far the clock of the database, or the age of a transaction, may be wrong without hiding a row. */
const SLACK_MS = 2 * 86_400_000;

/**
 * The same inside a month. Transactions end within seconds (`STATEMENT_LIMITS`), so this is for clocks; a reader of a window passes over
 * the rows of so much time at its end.
 */
const NEAR_SLACK_MS = 3_600_000;

/** Above every position. */
const END = Number.MAX_SAFE_INTEGER;

/**
 * The position from $1 up to $2 from which on rows were written at $3 or later. It halves the positions as a binary search does: an
 * index by time would give the rows of a window in the order of their time and not in that of their position, so that a page of 50
 * would read and sort all of them, and would cost each write. About 20 reads of one row.
 */
const HALVES = `
  WITH RECURSIVE halves (low, high, most) AS (
    SELECT $1::bigint, most, most FROM (
      SELECT coalesce(max(position) + 1, $1::bigint) AS most FROM journal WHERE position >= $1::bigint AND position < $2::bigint) AS written
    UNION ALL
    SELECT CASE WHEN is_later THEN low ELSE middle + 1 END, CASE WHEN is_later THEN middle ELSE high END, most
    FROM halves, LATERAL (SELECT (low + high) / 2 AS middle) AS half, LATERAL (
      SELECT created_at >= $3::timestamptz AS is_later FROM journal
      WHERE position >= middle AND position >= $1::bigint AND position < $2::bigint ORDER BY position LIMIT 1) AS found
    WHERE low < high
  )
  SELECT CASE low WHEN most THEN $2::bigint ELSE low END AS position FROM halves WHERE low = high`;

/** Positions of the journal; the second one is not included. */
export interface JournalWindow {
  first: number;
  end: number;
}

interface JournalMonth {
  position: number;
  begunAt: number;
}

/**
 * Says which positions of the journal belong to a time, so that a reader that knows the time looks only into the
 * partitions that can have its rows (decision 0046).
 */
@Injectable()
export class JournalMonthsService {
  private months: JournalMonth[] = [];
  private loadedAt = -Infinity;

  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** No row that was written at `instant` or later has a smaller position. */
  async firstPosition(instant: Date): Promise<number> {
    const before = instant.getTime() - SLACK_MS;
    return (await this.list()).findLast(({ begunAt }) => begunAt <= before)?.position ?? 0;
  }

  /** Every row that was written before `instant` has a smaller position. */
  async endPosition(instant: Date): Promise<number> {
    const after = instant.getTime() + SLACK_MS;
    return (await this.list()).find(({ begunAt }) => begunAt > after)?.position ?? END;
  }

  /**
   * Returns the positions that have all rows written at `from` or later and before `to`, and few others. It is wrong only for a row
   * that was written while the clock of the database was off by more than an hour.
   */
  async window(from: Date | undefined, to: Date | undefined): Promise<JournalWindow> {
    return {
      first: from ? await this.firstSince(from, -NEAR_SLACK_MS) : 0,
      end: to ? await this.firstSince(to, NEAR_SLACK_MS) : END,
    };
  }

  /** The first position of what was written so long after `instant`, in the months around it. */
  private async firstSince(instant: Date, afterMs: number): Promise<number> {
    const months = [await this.firstPosition(instant), await this.endPosition(instant)];
    const moment = new Date(instant.getTime() + afterMs);
    const [found] = await this.source.query<{ position: string }[]>(HALVES, [...months, moment]);
    return Number(found!.position);
  }

  private async list(): Promise<JournalMonth[]> {
    if (performance.now() - this.loadedAt < RELOAD_MS) return this.months;
    const rows = await this.source.query<{ position: string; begun_at: Date }[]>(
      'SELECT from_position AS position, begun_at FROM journal_months ORDER BY from_position',
    );
    this.months = rows.map((row) => ({ position: Number(row.position), begunAt: row.begun_at.getTime() }));
    this.loadedAt = performance.now();
    return this.months;
  }
}
