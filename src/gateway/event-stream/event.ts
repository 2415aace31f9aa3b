import type { Actor } from '../../platform/journal/journal.service.js';

/** An event as the event stream and webhooks send it (contract §8). */
export interface Event {
  id: string;
  type: string;
  /** ISO 8601 in UTC with milliseconds. */
  at: string;
  projectId: string | null;
  actor: Actor;
  subject: { type: string; id: string | null };
  data: Record<string, unknown>;
}

/** A row of the journal with the fields that decide who may see it. */
export interface JournalRow extends Event {
  position: number;
  /** The project of another issue that `data` names, such as a link's target or a blocker; null when it names none. */
  otherProjectId: string | null;
  namesOther: boolean;
}

/** Columns of `journal j` that make a `JournalRow`, except for the project of another issue. */
export const EVENT_COLUMNS = `
  j.position, j.id, j.type,
  to_char(j.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, j.project_id AS "projectId",
  json_build_object('type', j.actor_type, 'id', j.actor_id, 'name', j.actor_name) AS actor,
  json_build_object('type', j.subject_type, 'id', j.subject_id) AS subject,
  CASE WHEN j.issue_id IS NULL OR j.subject_type = 'issue' THEN j.data
       ELSE jsonb_build_object('issueId', j.issue_id) || j.data END AS data`;

/** The named fields of an event, in the order of the contract. */
export function eventOf({ id, type, at, projectId, actor, subject, data }: Event): Event {
  return { id, type, at, projectId, actor, subject, data };
}
