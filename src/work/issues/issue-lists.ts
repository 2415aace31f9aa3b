import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../../platform/auth/principal.js';
import { pageRequest, tellPage, type Page } from '../../platform/http/page.js';
import { IssueResponse, IssueSummaryResponse, type ListedIssueResponse } from './dto/issue.response.js';
import type { ListIssuesQuery } from './dto/list-issues.query.js';
import { IssueListRepository } from './issue-list.repository.js';
import type { IssueRow } from './issue-row.js';
import { SEARCH_LIMIT } from './issue-search.js';
import { priorityNumber } from './priority.js';

/** Answers the two lists of issues: of one project, and over all that the caller sees. */
@Injectable()
export class IssueLists {
  constructor(private readonly issues: IssueListRepository) {}

  async answer(
    caller: Principal,
    query: ListIssuesQuery & { projectId?: string },
    request: Request,
    response: Response,
  ): Promise<ListedIssueResponse[]> {
    const page = await this.read(caller, query);
    tellPage(request, response, page, query.sort);
    if (query.q !== undefined && page.total === SEARCH_LIMIT)
      response.setHeader('X-Total-Count-Capped', 'true');
    const told = query.fields === 'summary' ? IssueSummaryResponse.from : IssueResponse.from;
    return page.rows.map((row) => told(row) as IssueResponse);
  }

  /** One page of what the caller sees; with `fields=summary` the rows lack what can be long. */
  read(caller: Principal, query: ListIssuesQuery & { projectId?: string }): Promise<Page<IssueRow>> {
    const { sort, priority, fields, projectId, status, assigneeId, goalId, q } = query;
    const filter = {
      projectId,
      status,
      assigneeId,
      goalId,
      q,
      priority: priority && priorityNumber(priority),
    };
    return this.issues.list(caller, filter, sort, pageRequest(query, sort), fields === 'summary');
  }
}
