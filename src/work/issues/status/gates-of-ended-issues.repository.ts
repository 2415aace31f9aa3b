import { Injectable } from '@nestjs/common';
import { currentOrigin, SYSTEM } from '../../../platform/journal/journal-context.js';
import type { NewJournalEntry } from '../../../platform/journal/journal.service.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { GateKind } from './gate-state.js';

/** Withdraws the gates of issues that end. All other changes of gates are in `work/gates`, above. */
@Injectable()
export class GatesOfEndedIssuesRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Withdraws the open gates of issues that are resolved, closed or deleted, and releases those that wait for the end of
   * an approved call. The caller holds the rows of the issues. No worker is to receive them any more.
   * @returns what the journal records
   */
  async withdrawAll(issueIds: string[]): Promise<NewJournalEntry[]> {
    const { type, id, name } = currentOrigin()?.actor ?? SYSTEM;
    const withdrawn = await this.database.rows<{
      id: string;
      kind: GateKind;
      projectId: string;
      issueId: string;
      wasOpen: boolean;
    }>(
      `UPDATE gates g SET holds = false, delivered_at = now(),
         state = CASE before.state WHEN 'open' THEN 'withdrawn' ELSE before.state END,
         closed_at = coalesce(before.closed_at, now()),
         closed_by_type = CASE before.state WHEN 'open' THEN $2 ELSE before.closed_by_type END,
         closed_by_id = CASE before.state WHEN 'open' THEN $3::uuid ELSE before.closed_by_id END,
         closed_by_name = CASE before.state WHEN 'open' THEN $4 ELSE before.closed_by_name END
       FROM (SELECT * FROM gates WHERE issue_id = ANY($1::uuid[]) AND (state = 'open' OR holds) FOR UPDATE) AS before
       WHERE g.id = before.id
       RETURNING g.id, g.kind, g.project_id AS "projectId", g.issue_id AS "issueId", before.state = 'open' AS "wasOpen"`,
      [issueIds, type, id, name],
    );
    return withdrawn
      .filter(({ wasOpen }) => wasOpen)
      .map(({ id: gateId, kind, projectId, issueId }) => ({
        type: 'gate.withdrawn' as const,
        subject: { type: 'gate', id: gateId },
        projectId,
        issueId,
        data: { gateId, kind },
      }));
  }
}
