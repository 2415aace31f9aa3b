import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../database/database.service.js';
import { JournalConnectionClient } from './journal-connection.client.js';
import type { Look } from './safe-head.js';

/** The most rows of one look. */
export const MOST_ROWS = 5_000;

/** Statements about the end of the journal. Those that the follower repeats run on its own connection. */
@Injectable()
export class JournalHeadRepository {
  constructor(
    private readonly connection: JournalConnectionClient,
    private readonly database: DatabaseService,
  ) {}

  /** The committed rows above `position`, and which transactions may still write below them, in one snapshot. */
  async look(position: number): Promise<Look> {
    const [row] = await this.connection.rows<{ oldest: string; positions: string[]; types: string[] }>(
      'journal-head.look',
      LOOK,
      [position],
    );
    const { oldest, positions, types } = row!;
    return {
      oldestRunning: BigInt(oldest),
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
    const [row] = await this.database.prepared<{ position: string }>('journal-head.beginning', BEGINNING, [
      head,
    ]);
    return Number(row!.position);
  }
}

const LAST = `SELECT coalesce(max(position), 0)::text AS last FROM journal`;

const LOOK = `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest,
    coalesce(array_agg(position::text ORDER BY position), '{}') AS positions,
    coalesce(array_agg(type ORDER BY position), '{}') AS types
  FROM (SELECT position, type FROM journal WHERE position > $1::bigint ORDER BY position LIMIT ${MOST_ROWS}) AS above`;

/** The last position before the first gap above the head; without a head, the greatest position. */
const BEGINNING = `
  SELECT CASE WHEN $1::bigint IS NULL THEN (SELECT coalesce(max(position), 0) FROM journal)
    ELSE coalesce(max(position) FILTER (WHERE position = $1::bigint + number), $1::bigint) END::text AS position
  FROM (
    SELECT position, row_number() OVER (ORDER BY position) AS number FROM journal
    WHERE position > $1::bigint ORDER BY position LIMIT ${MOST_ROWS}
  ) AS above`;
