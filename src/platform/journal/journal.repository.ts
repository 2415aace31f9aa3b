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
