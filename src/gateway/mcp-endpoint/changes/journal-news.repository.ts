import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';

/** How far somebody has read the journal: exactly, whatever commits later with an earlier position. */
export interface JournalMark {
  /** Text of a `pg_snapshot`. */
  snapshot: string;
  /** Text of a bigint: the greatest position at that time. */
  position: string;
}

@Injectable()
export class JournalNewsRepository {
  constructor(private readonly database: Database) {}

  /** Where the journal stands now. */
  async mark(): Promise<JournalMark> {
    const row = await this.database.row<JournalMark>(`SELECT ${MARK}`);
    return row!;
  }

  /**
   * The types of what may change an agent's lists, committed since `read`.
   * @param floor a position of a minute ago or earlier, so that only the end of the journal is looked at
   */
  async since(read: JournalMark, floor: string): Promise<JournalMark & { types: string[] }> {
    const [row] = await this.database.prepared<JournalMark & { types: string[] }>(
      'journal-news.since',
      SINCE,
      [read.snapshot, floor],
    );
    return row!;
  }
}

const MARK = `pg_current_snapshot()::text AS snapshot, coalesce((SELECT max(position) FROM journal), 0)::text AS position`;

/** A row that was committed after a snapshot is not in it, whatever its position says. */
const SINCE = `
  SELECT ${MARK}, ARRAY(
    SELECT DISTINCT type FROM journal
    WHERE position > $2::bigint AND type ~ '^(mcp|agent|key)\\.' AND NOT pg_visible_in_snapshot(transaction_id, $1::pg_snapshot)) AS types`;
