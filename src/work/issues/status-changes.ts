import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Journal } from '../../platform/journal/journal.js';
import { InvalidTransition } from './issues.errors.js';
import { pausedAfter, transitionOf, type Standing, type Status, type Trigger } from './issue-status.js';

/** An issue whose status is to change; locked by the caller. */
export interface Subject extends Standing {
  id: string;
  projectId: string;
}

/** Why a status changed, as the journal tells it. */
export type Cause = Record<string, unknown> & { cause: string };

/** The journal's word for a trigger, where it has one of its own. */
const EVENT_OF: Partial<Record<Trigger, 'issue.paused' | 'issue.resumed'>> = {
  pause: 'issue.paused',
  resume: 'issue.resumed',
};

/** The one applier of the table of states: nothing else writes a status. */
@Injectable()
export class StatusChanges {
  constructor(
    private readonly database: Database,
    private readonly journal: Journal,
  ) {}

  /**
   * Moves locked issues by one row of the table, in two statements whatever their number.
   * @param byPerson a user asked for it, which starts the counting of attempts anew
   * @throws InvalidTransition where the table has no such way
   */
  async apply(
    subjects: Subject[],
    trigger: Trigger,
    to: Status,
    why: Cause,
    byPerson = false,
  ): Promise<void> {
    if (subjects.length === 0) return;
    for (const subject of subjects)
      if (!transitionOf(subject, trigger, to)) throw new InvalidTransition(subject, to);
    await this.write(subjects, trigger, to, byPerson);
    const event = EVENT_OF[trigger];
    await this.journal.record(
      ...subjects.flatMap(({ id, projectId, status }) => {
        const place = { subject: { type: 'issue', id }, projectId, issueId: id };
        const changed = {
          ...place,
          type: 'issue.status_changed' as const,
          data: { old: status, new: to, ...why },
        };
        return event ? [{ ...place, type: event, data: {} }, changed] : [changed];
      }),
    );
  }

  /** A lease ends with any status but InProgress (spec §7). */
  private async write(subjects: Subject[], trigger: Trigger, to: Status, byPerson: boolean): Promise<void> {
    const ids = subjects.map(({ id }) => id);
    const paused = subjects.map((subject) => pausedAfter(subject, trigger));
    await this.database.change(
      `UPDATE issues i SET
         status = $3, paused = moved.paused, version = i.version + 1, updated_at = now(),
         started_at = CASE WHEN $3 = 'InProgress' THEN coalesce(i.started_at, now()) ELSE i.started_at END,
         resolved_at = CASE WHEN $3 = 'Resolved' THEN now() WHEN $3 = 'Closed' THEN i.resolved_at END,
         closed_at = CASE WHEN $3 = 'Closed' THEN now() END,
         attempts = CASE WHEN $4 THEN 0 ELSE i.attempts END,
         given_back_by = CASE WHEN NOT $4 THEN i.given_back_by END,
         given_back_until = CASE WHEN NOT $4 THEN i.given_back_until END
       FROM unnest($1::uuid[], $2::boolean[]) AS moved(id, paused) WHERE i.id = moved.id`,
      [ids, paused, to, byPerson],
    );
    if (to !== 'InProgress')
      await this.database.change(
        'UPDATE issue_leases SET expires_at = NULL WHERE issue_id = ANY($1::uuid[]) AND expires_at IS NOT NULL',
        [ids],
      );
  }
}
