import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/** A list that is too old only makes readers look into more partitions than they need. */
const RELOAD_MS = 600_000;

/** How far the clock of the database, or the age of a transaction, may be wrong without hiding a row. */
const SLACK_MS = 2 * 86_400_000;

/** The same for the id of a row, which a process makes by its own clock right before it writes the row. */
const ID_SLACK_MS = 10 * 60_000;

/** Above every position. */
const END = Number.MAX_SAFE_INTEGER;

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
   * As `firstPosition`, but within minutes: for readers of the last hours, which would otherwise read a month. The ids of
   * rows begin with their time and have an index.
   */
  async recentPosition(instant: Date): Promise<number> {
    const month = await this.firstPosition(instant);
    const [first] = await this.source.query<{ position: string }[]>(
      'SELECT position FROM journal WHERE position >= $1 AND id >= $2 ORDER BY id LIMIT 1',
      [month, idAt(instant.getTime() - ID_SLACK_MS)],
    );
    return first ? Number(first.position) : END;
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

/** The smallest UUID of version 7 that is made at a time. */
function idAt(milliseconds: number): string {
  const digits = Math.max(0, Math.floor(milliseconds)).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}
