import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/auth/principal.js';
import { Database } from '../../../platform/database/database.js';
import { readKeysetPage } from '../../../platform/database/keyset.js';
import type { Page, PageRequest } from '../../../platform/http/page.js';
import { visibilityOf } from '../../projects/visibility.js';
import type { TimelineType } from './timeline-types.js';
import { timelineTypes } from './timeline-types.js';

/** One thing that happened to an issue. */
export interface TimelineRow {
  /** Its place in the journal; text, since bigint is wider than a number. */
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

/**
 * The journal as one issue's reader may see it. A record may name another issue: the far end of a link, or
 * the blocker that a change of status came from. Where that one lies in a project that the caller can't see (any
 * more), the link's record is left out and the blocker's id taken off (spec §2). The project of an issue stands
 * in its own records, so the answer is the same after that issue was deleted.
 */
@Injectable()
export class TimelineRepository {
  constructor(private readonly database: Database) {}

  /** Oldest first, by position. @param issueId of an issue that the caller sees */
  list(caller: Principal, issueId: string, page: PageRequest): Promise<Page<TimelineRow>> {
    const visibility = visibilityOf(caller, 'op', 3);
    return readKeysetPage<TimelineRow>(
      this.database,
      {
        columns: COLUMNS,
        from: `journal j
          LEFT JOIN comments c ON j.type = 'comment.created' AND c.id = (j.data->>'commentId')::uuid
          CROSS JOIN LATERAL (SELECT coalesce(j.data->>'targetIssueId', j.data->>'blockerId')::uuid AS id) AS other
          CROSS JOIN LATERAL (SELECT other.id IS NULL OR EXISTS (
            SELECT 1 FROM projects op ${visibility.membership}
            WHERE op.id = (SELECT o.project_id FROM journal o WHERE o.issue_id = other.id ORDER BY o.position LIMIT 1)
              AND ${visibility.seen}) AS seen) AS named`,
        where: `j.issue_id = $1 AND j.type = ANY($2::text[]) AND (named.seen OR NOT j.type LIKE 'link.%')`,
        parameters: [issueId, timelineTypes, ...visibility.parameters],
        order: [{ column: 'j.position', type: 'bigint' }],
        keyOf: (row) => [row.position],
      },
      page,
    );
  }
}

/** What a comment says is read where it is kept, so that a deleted one is gone from here too. */
const COLUMNS = `
  j.position::text AS position, j.id, j.issue_id AS "issueId", j.type, j.actor_type AS "actorType",
  j.actor_id AS "actorId", j.actor_name AS "actorName", j.created_at AS "createdAt",
  CASE WHEN NOT named.seen THEN j.data - 'blockerId' - 'linkId'
       WHEN c.id IS NOT NULL THEN j.data || jsonb_build_object('content', c.content)
       ELSE j.data END AS data`;
