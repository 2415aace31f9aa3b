import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { Status } from '../status/issue-status.js';

@Injectable()
export class IssueCountsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Counts the issues of a project by status, from an index alone. A status without issues is missing. */
  byStatus(projectId: string): Promise<{ status: Status; issues: number }[]> {
    return this.database.rows(
      `SELECT status, count(*)::int AS issues FROM issues WHERE project_id = $1 GROUP BY status`,
      [projectId],
    );
  }

  /** Counts the issues of a project that wait for a decision or answer of a person. */
  async onPerson(projectId: string): Promise<number> {
    const row = await this.database.row<{ issues: number }>(
      `SELECT count(DISTINCT issue_id)::int AS issues FROM gates WHERE project_id = $1 AND holds`,
      [projectId],
    );
    return row!.issues;
  }
}
