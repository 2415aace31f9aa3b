import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { Look } from './journal-head.js';

@Injectable()
export class JournalHeadRepository {
  constructor(private readonly database: Database) {}

  /** What is committed above `position`, at most 5,000, and which transactions may still write below it. */
  async look(position: number): Promise<Look> {
    const [row] = await this.database.prepared<{ oldest: string; positions: string[] }>(
      'journal-head.look',
      LOOK,
      [position],
    );
    return { oldestRunning: BigInt(row!.oldest), positions: row!.positions.map(Number) };
  }

  /** The greatest position that is committed. */
  async last(): Promise<number> {
    const row = await this.database.row<{ last: string }>(
      'SELECT coalesce(max(position), 0)::text AS last FROM journal',
    );
    return Number(row!.last);
  }

  /** A transaction id that is greater than every one given out before. */
  async newTransactionId(): Promise<bigint> {
    const row = await this.database.row<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
    return BigInt(row!.id);
  }
}

const LOOK = `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest,
    ARRAY(SELECT position::text FROM journal WHERE position > $1::bigint ORDER BY position LIMIT 5000) AS positions`;
