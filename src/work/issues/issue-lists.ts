import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../../platform/auth/principal.js';
import { pageRequest, tellPage } from '../../platform/http/page.js';
import { IssueResponse, IssueSummaryResponse } from './dto/issue.response.js';
import type { ListIssuesQuery } from './dto/list-issues.query.js';
import { IssueListRepository } from './issue-list.repository.js';
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
  ): Promise<IssueResponse[]> {
    const { sort, priority, fields, projectId, status, assigneeId, goalId, q } = query;
    const filter = { projectId, status, assigneeId, goalId, q, priority: priority && priorityNumber(priority) };
    const summary = fields === 'summary';
    const page = await this.issues.list(caller, filter, sort, pageRequest(query, sort), summary);
    tellPage(request, response, page, sort);
    return page.rows.map((row) => (summary ? (IssueSummaryResponse.from(row) as IssueResponse) : IssueResponse.from(row)));
  }
}
