import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';

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
const RECORD = `
  INSERT INTO journal (id, type, actor_type, actor_id, actor_name, subject_type, subject_id, project_id, issue_id,
                       data, request_id, origin, traceparent)
  SELECT id, type, actor_type, actor_id, actor_name, subject_type, subject_id, project_id, issue_id,
         data, request_id, origin, traceparent
  FROM ROWS FROM (json_to_recordset($1::json) AS (
    id uuid, type text, actor_type text, actor_id uuid, actor_name text, subject_type text, subject_id text,
    project_id uuid, issue_id uuid, data jsonb, request_id text, origin text, traceparent text)) WITH ORDINALITY
  WHERE pg_current_xact_id() IS NOT NULL
  ORDER BY ordinality`;

@Injectable()
export class JournalRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Inserts the rows in the order given, in one statement. */
  async insert(rows: JournalRow[]): Promise<void> {
    await this.database.prepared('journal.record', RECORD, [JSON.stringify(rows)]);
  }

  /** PostgreSQL sends the notifications with the commit, and not at all when the transaction rolls back. */
  async notify(channel: string, payloads: string[]): Promise<void> {
    const notify = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';
    await this.database.prepared('journal.notify', notify, [channel, payloads]);
  }
}
