import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';

/** Rows of one deletion. */
const BATCH = 5_000;

/** The rows that a deletion removed: how many, and the newest of them. */
export interface Pruned {
  rows: number;
  until: Date | null;
}

/**
 * Deletes the oldest rows of no issue, by their index. What is still needed stays: the newest row, from which a follower
 * of the journal begins, and every row that an enabled webhook has not been fed.
 */
const PRUNE = `
  WITH old AS (
    SELECT position FROM journal
    WHERE issue_id IS NULL AND created_at < now() - make_interval(days => $1::int)
      AND position < (SELECT max(position) FROM journal)
      AND (NOT EXISTS (SELECT 1 FROM webhooks WHERE NOT disabled) OR position <= (SELECT position FROM webhook_feed))
    ORDER BY created_at, position LIMIT ${BATCH}
  ), gone AS (
    DELETE FROM journal WHERE position = ANY(ARRAY(SELECT position FROM old)) RETURNING created_at
  )
  SELECT count(*)::int AS rows, max(created_at) AS until FROM gone`;

@Injectable()
export class JournalRetentionRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Deletes one batch, in a transaction that the append-only rule of the table admits. */
  async prune(days: number): Promise<Pruned> {
    await this.database.rows(`SELECT set_config('awp.journal_retention', 'on', true)`);
    const row = await this.database.row<Pruned>(PRUNE, [days]);
    await this.database.rows(`SELECT set_config('awp.journal_retention', '', true)`);
    return row!;
  }
}
