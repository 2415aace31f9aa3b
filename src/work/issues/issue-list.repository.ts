import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/auth/principal.js';
import { Database } from '../../platform/database/database.js';
import { readKeysetPage } from '../../platform/database/keyset.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { visibilityOf } from '../projects/visibility.js';
import { ISSUE_COLUMNS, ISSUE_TABLES, SUMMARY_COLUMNS, type IssueRow } from './issue-row.js';
import { orderOf, sortKeyOf, type IssueSort } from './issue-sort.js';
import type { Status } from './issue-status.js';

/** Which issues to list; absent is any. */
export interface IssueFilter {
  projectId?: string;
  status?: Status[];
  assigneeId?: string;
  goalId?: string;
  priority?: number;
  q?: string;
}

@Injectable()
export class IssueListRepository {
  constructor(private readonly database: Database) {}

  /** What the caller sees of the issues that fit, in one statement. */
  list(
    caller: Principal,
    filter: IssueFilter,
    sort: IssueSort,
    page: PageRequest,
    summary: boolean,
  ): Promise<Page<IssueRow>> {
    const visibility = visibilityOf(caller, 'p', 1);
    const parameters = [...visibility.parameters];
    const bind = (value: unknown) => `$${parameters.push(value)}`;
    return readKeysetPage<IssueRow>(
      this.database,
      {
        columns: summary ? SUMMARY_COLUMNS : ISSUE_COLUMNS,
        from: `${ISSUE_TABLES} ${visibility.membership}`,
        where: [visibility.seen, ...conditionsOf(filter, bind)].join(' AND '),
        parameters,
        ...orderOf(sort),
        keyOf: (row) => sortKeyOf(sort, row),
      },
      page,
    );
  }
}

/** An id that can't be one fits nothing, as any unknown id does. */
function conditionsOf(filter: IssueFilter, bind: (value: unknown) => string): string[] {
  const conditions: string[] = [];
  const ids = [filter.assigneeId, filter.goalId].filter((id) => id !== undefined);
  if (!ids.every((id) => isUuid(id))) return ['false'];
  if (filter.projectId) conditions.push(`i.project_id = ${bind(filter.projectId)}`);
  if (filter.status) conditions.push(`i.status = ANY(${bind(filter.status)}::text[])`);
  if (filter.goalId) conditions.push(`i.goal_id = ${bind(filter.goalId)}`);
  if (filter.priority !== undefined) conditions.push(`i.priority = ${bind(filter.priority)}`);
  if (filter.q) conditions.push(`i.search @@ plainto_tsquery('simple', ${bind(filter.q)})`);
  if (filter.assigneeId) {
    const id = bind(filter.assigneeId);
    conditions.push(`(i.assigned_agent_id = ${id} OR i.assignee_user_id = ${id})`);
  }
  return conditions;
}
