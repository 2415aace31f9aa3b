import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { prepared } from '../database/service.client.js';
import { JournalConnectionClient } from './journal-connection.client.js';
import type { Look } from './safe-head.js';

/** The most rows of one look. */
export const MOST_ROWS = 5_000;

/** Statements about the end of the journal. Those that the follower repeats run on its own connection. */
@Injectable()
export class JournalHeadRepository {
  constructor(
    private readonly connection: JournalConnectionClient,
    @InjectDataSource() private readonly source: DataSource,
  ) {}

  /**
   * The committed rows above `position`, and which transactions may still write below them, in one snapshot.
   * @param isHeldUp asks too whether a commit waits for a synchronous standby
   */
  async look(position: number, isHeldUp: boolean): Promise<Look> {
    const [row] = await this.connection.rows<LookRow>('journal-head.look', LOOK, [position, isHeldUp]);
    const { oldest, awaits, positions, types } = row!;
    return {
      oldestRunning: BigInt(oldest),
      awaitsStandby: awaits,
      rows: positions.map((text, index) => ({ position: Number(text), type: types[index]! })),
    };
  }

  /** The greatest committed position. */
  async last(): Promise<number> {
    const [row] = await this.connection.rows<{ last: string }>('journal-head.last', LAST);
    return Number(row!.last);
  }

  /** A transaction id that is greater than every one assigned before. */
  async newTransactionId(): Promise<bigint> {
    const [row] = await this.connection.rows<{ id: string }>(
      'journal-head.new-transaction-id',
      'SELECT pg_current_xact_id()::text AS id',
    );
    return BigInt(row!.id);
  }

  /**
   * A position for a reader that begins now: every row that commits later lies above it. Read over the pool.
   * @param head every row up to here has committed or never will; null where that is not known
   */
  async beginning(head: number | null): Promise<number> {
    const [row] = await this.source.query<{ position: string }[]>(BEGINNING, [head]);
    return Number(row!.position);
  }
}

const LAST = `SELECT coalesce(max(position), 0)::text AS last FROM journal`;

interface LookRow {
  oldest: string;
  awaits: boolean;
  positions: string[];
  types: string[];
}

const LOOK = `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest,
    $2::boolean AND EXISTS (
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep') AS awaits,
    coalesce(array_agg(position::text ORDER BY position), '{}') AS positions,
    coalesce(array_agg(type ORDER BY position), '{}') AS types
  FROM (SELECT position, type FROM journal WHERE position > $1::bigint ORDER BY position LIMIT ${MOST_ROWS}) AS above`;

/** The last position before the first gap above the head; without a head, the greatest position. */
const BEGINNING = prepared(
  'journal-head.beginning',
  `
  SELECT CASE WHEN $1::bigint IS NULL THEN (SELECT coalesce(max(position), 0) FROM journal)
    ELSE coalesce(max(position) FILTER (WHERE position = $1::bigint + number), $1::bigint) END::text AS position
  FROM (
    SELECT position, row_number() OVER (ORDER BY position) AS number FROM journal
    WHERE position > $1::bigint ORDER BY position LIMIT ${MOST_ROWS}
  ) AS above`,
);

/** SQL: the project of an issue that the journal names, also of a deleted one. @param issueId SQL */
export const projectOfIssue = (issueId: string): string => `coalesce(
  (SELECT i.project_id FROM issues i WHERE i.id = ${issueId}),
  (SELECT d.project_id FROM deleted_issues d WHERE d.id = ${issueId}))`;

/** A row of the journal as it is written, under the names of its columns. */
export interface JournalRow {
  id: string;
  type: string;
  actor_type: string;
  actor_id: string | null;
  actor_name: string;
  subject_type: string;
  subject_id: string | null;
  project_id: string | null;
  issue_id: string | null;
  data: Record<string, unknown>;
  request_id: string | null;
  origin: string | null;
  traceparent: string | null;
}

/** The condition is always true. It takes the transaction's id before any position, which `SafeHead` relies upon. */
const RECORD = prepared(
  'journal.record',
  `
  INSERT INTO journal (id, type, actor_type, actor_id, actor_name, subject_type, subject_id, project_id, issue_id,
                       data, request_id, origin, traceparent)
  SELECT id, type, actor_type, actor_id, actor_name, subject_type, subject_id, project_id, issue_id,
         data, request_id, origin, traceparent
  FROM ROWS FROM (json_to_recordset($1::json) AS (
    id uuid, type text, actor_type text, actor_id uuid, actor_name text, subject_type text, subject_id text,
    project_id uuid, issue_id uuid, data jsonb, request_id text, origin text, traceparent text)) WITH ORDINALITY
  WHERE pg_current_xact_id() IS NOT NULL
  ORDER BY ordinality`,
);

const NOTIFY = prepared('journal.notify', 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload');

@Injectable()
export class JournalRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** Inserts the rows in the order given, in one statement. */
  async insert(rows: JournalRow[]): Promise<void> {
    await this.source.query(RECORD, [JSON.stringify(rows)]);
  }

  /** PostgreSQL sends the notifications with the commit, and not at all when the transaction rolls back. */
  async notify(channel: string, payloads: string[]): Promise<void> {
    await this.source.query(NOTIFY, [channel, payloads]);
  }
}

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
interface JournalWindow {
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
