import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import type { EventType } from '../../platform/journal/event-types.js';
import {
  JournalMonthsService,
  projectOfIssue,
} from '../../platform/journal/journal-rows-and-months.repository.js';
import { visibilityOf } from '../projects/visibility.js';

/** The event types that an issue's timeline shows (contract §5.2). */
export const timelineTypes = [
  'issue.created',
  'issue.updated',
  'issue.status_changed',
  'issue.picked_up',
  'issue.lease_lost',
  'issue.paused',
  'issue.resumed',
  'issue.tools_called',
  'issue.child_added',
  'issue.child_removed',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'attachment.created',
  'attachment.deleted',
  'link.created',
  'link.deleted',
  'code.linked',
  'code.updated',
  'code.unlinked',
  'gate.opened',
  'gate.answered',
  'gate.expired',
  'gate.withdrawn',
  'gate.executed',
] as const satisfies readonly EventType[];
export type TimelineType = (typeof timelineTypes)[number];

/** One event of an issue's timeline. */
export interface TimelineRow {
  /** Its position in the journal; text, since bigint is wider than a number. */
  position: string;
  id: string;
  issueId: string;
  type: TimelineType;
  actorType: 'user' | 'agent' | 'system';
  actorId: string | null;
  actorName: string;
  data: Record<string, unknown>;
  createdAt: Date;
}

/** An instant as all responses write it. @param instant SQL */
const isoText = (instant: string) =>
  `to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Which rows of a timeline are read, and whether with their texts. */
export interface TimelineFilter {
  /** Undefined: all types of the timeline. */
  types?: readonly TimelineType[];
  /** Rows at or after this instant. */
  from?: Date;
  /** Rows before this instant. */
  to?: Date;
  newestFirst?: boolean;
  /** Without the contents of comments and the answers to gates. */
  withoutTexts?: boolean;
}

/** What people and agents wrote. It is read from where it stands, so that what is deleted is gone from the timeline too. */
const CONTENT = `jsonb_build_object('content', c.content)
  || CASE WHEN c.updated_at > c.created_at THEN jsonb_build_object('editedAt', ${isoText('c.updated_at')}) ELSE '{}' END`;
const ANSWER = `CASE WHEN j.type <> 'gate.answered' THEN '{}'
  WHEN g.kind = 'budget' THEN jsonb_build_object('answer', g.answer, 'measure', g.request->>'measure')
  ELSE jsonb_build_object('answer', g.answer) END`;

/** The calls of a turn are read from their summary, which grows while the turn goes on. */
const columnsOf = (withoutTexts: boolean) => `
  j.position::text AS position, j.id, j.issue_id AS "issueId", j.type, j.actor_type AS "actorType",
  j.actor_id AS "actorId", j.actor_name AS "actorName", j.created_at AS "createdAt",
  CASE WHEN NOT named.seen THEN j.data - 'blockerId' - 'linkId'
       WHEN c.id IS NOT NULL THEN j.data || ${withoutTexts ? `'{}'` : CONTENT}
       WHEN t.turn IS NOT NULL THEN j.data || jsonb_build_object('calls', t.calls, 'failed', t.failed, 'tools', t.tools,
         'firstAt', ${isoText('t.first_at')}, 'lastAt', ${isoText('t.last_at')})
       WHEN g.id IS NOT NULL THEN j.data || jsonb_build_object('title', g.title) || ${withoutTexts ? `'{}'` : ANSWER}
       ELSE j.data END AS data`;

/**
 * Reads the journal of an issue as a caller may see it. A row may name another issue: the far end of a link, or the
 * blocker that caused a change of status. When the caller cannot see that issue's project, the row of the link is left
 * out and the id of the blocker is removed (contract §2). The project of a deleted issue is kept, so the result is the
 * same after that issue was deleted.
 */
@Injectable()
export class TimelineRepository {
  constructor(
    private readonly pages: KeysetPagesService,
    private readonly months: JournalMonthsService,
  ) {}

  /** Returns the timeline by position. @param issue one that the caller sees */
  async list(
    caller: Principal,
    issue: { id: string; createdAt: Date },
    page: PageRequest,
    { types = timelineTypes, from, to, newestFirst = false, withoutTexts = false }: TimelineFilter = {},
  ): Promise<Page<TimelineRow>> {
    const first = await this.months.firstPosition(from && from > issue.createdAt ? from : issue.createdAt);
    const visibility = visibilityOf(caller, 'op', 6);
    return this.pages.read<TimelineRow>(
      {
        columns: columnsOf(withoutTexts),
        from: `journal j
          LEFT JOIN comments c ON j.type = 'comment.created' AND c.id = (j.data->>'commentId')::uuid
          LEFT JOIN issue_call_turns t ON j.type = 'issue.tools_called' AND t.issue_id = j.issue_id
            AND t.lease_token = (j.data->>'leaseToken')::bigint AND t.turn = (j.data->>'turn')::int
          LEFT JOIN gates g ON j.type LIKE 'gate.%' AND g.id = (j.data->>'gateId')::uuid
          CROSS JOIN LATERAL (SELECT coalesce(j.data->>'targetIssueId', j.data->>'blockerId')::uuid AS id) AS other
          CROSS JOIN LATERAL (SELECT other.id IS NULL OR EXISTS (
            SELECT 1 FROM projects op ${visibility.membership}
            WHERE op.id = ${projectOfIssue('other.id')}
              AND ${visibility.seen}) AS seen) AS named`,
        where: `j.issue_id = $1 AND j.position >= $3::bigint AND j.type = ANY($2::text[]) AND (named.seen OR NOT j.type LIKE 'link.%')
          AND j.created_at >= $4::timestamptz AND j.created_at < $5::timestamptz`,
        parameters: [
          issue.id,
          types,
          first,
          from?.toISOString() ?? '-infinity',
          to?.toISOString() ?? 'infinity',
          ...visibility.parameters,
        ],
        order: [{ column: 'j.position', type: 'bigint' }],
        descending: newestFirst,
        keyOf: (row) => [row.position],
      },
      page,
    );
  }
}
