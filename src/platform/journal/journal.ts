import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Database } from '../database/database.js';
import { Transactions } from '../database/transactions.js';
import type { EventType } from './event-types.js';
import { currentOrigin, SYSTEM, type Actor } from './journal-context.js';
import { JournalTally } from './journal-tally.js';
import { isAdministrative, NOTICE_CHANNEL } from './journal-notices.js';

/** One change of state, as whoever made it tells it. `data` never holds a secret. */
export interface Happening {
  type: EventType;
  subject: { type: string; id: string | null };
  projectId?: string | null;
  issueId?: string | null;
  data?: Record<string, unknown>;
  /** Default: the caller of the request, or the system where there is none. */
  actor?: Actor;
}

/**
 * The one append-only record of what happened (spec §8). A change of state writes its row in its own
 * transaction, so that neither is ever there without the other. Who may read a row is decided above.
 */
@Injectable()
export class Journal {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly tally: JournalTally,
  ) {}

  /** Writes the rows in one statement, in the order given, inside the caller's transaction. */
  async record(...happenings: Happening[]): Promise<void> {
    if (happenings.length === 0) return;
    const origin = currentOrigin();
    const rows = happenings.map((happening) => {
      const actor = happening.actor ?? origin?.actor ?? SYSTEM;
      return {
        id: uuidv7(),
        type: happening.type,
        actor_type: actor.type,
        actor_id: actor.id,
        actor_name: actor.name,
        subject_type: happening.subject.type,
        subject_id: happening.subject.id,
        project_id: happening.projectId ?? null,
        issue_id: happening.issueId ?? null,
        data: happening.data ?? {},
        request_id: origin?.requestId ?? null,
        origin: origin?.from ?? null,
        traceparent: origin?.traceparent ?? null,
      };
    });
    await this.database.prepared('journal.record', RECORD, [JSON.stringify(rows)]);
    this.transactions.afterCommit(() => this.tally.add(happenings.map(({ type }) => type)));
    await this.notify(new Set(happenings.map(({ type }) => type).filter(isAdministrative)));
  }

  /** Reaches the other processes with the commit, and not at all without one. */
  private async notify(types: Set<EventType>): Promise<void> {
    if (types.size === 0) return;
    const notices = 'SELECT pg_notify($1, type) FROM unnest($2::text[]) AS type';
    await this.database.prepared('journal.notify', notices, [NOTICE_CHANNEL, [...types]]);
  }
}

/** The condition is always true: it takes the transaction's id before any position, which readers rely upon. */
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
