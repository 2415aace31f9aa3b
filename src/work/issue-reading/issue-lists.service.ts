import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../../platform/authentication/principal.js';
import { type Page, pageRequest, sendPageHeaders } from '../../platform/http/page.query.js';
import type { IssueRow, SummaryRow } from '../issue-status/issue-row.js';
import { priorityNumber } from '../issue-status/issue-status.js';
import { IssueListRepository } from './issue-list.repository.js';
import { isRanked, nameOfOrder, SEARCH_LIMIT } from './issue-search.js';
import {
  type ExplainedIssueResponse,
  IssueResponse,
  IssueSummaryResponse,
  type ListedIssueResponse,
  WhyResponse,
} from './issue.response.js';
import type { ListIssuesQuery } from './list-issues.query.js';
import { WhyService } from './why.service.js';

/** Serves the two lists of issues: of one project, and of all projects that the caller sees. */
@Injectable()
export class IssueListsService {
  constructor(
    private readonly issues: IssueListRepository,
    private readonly why: WhyService,
  ) {}

  async answer(
    caller: Principal,
    query: ListIssuesQuery & { projectId?: string },
    request: Request,
    response: Response,
  ): Promise<ListedIssueResponse[]> {
    const page = await this.read(caller, query);
    sendPageHeaders(request, response, page, nameOfOrder(query));
    if (query.q !== undefined && page.total === SEARCH_LIMIT)
      response.setHeader('X-Total-Count-Capped', 'true');
    if (query.fields === 'summary,why') return this.explained(caller, page.rows);
    const toResponse = query.fields === 'summary' ? IssueSummaryResponse.from : IssueResponse.from;
    return page.rows.map((row) => toResponse(row, caller) as IssueResponse);
  }

  /** Returns one page of issues that the caller sees; with `fields=summary` without description and links. */
  read(caller: Principal, query: ListIssuesQuery & { projectId?: string }): Promise<Page<IssueRow>> {
    const { sort, priority, fields, projectId, ids, status, assigneeId, goalId, q } = query;
    const filter = {
      projectId,
      ids,
      status,
      assigneeId: assigneeId === 'me' ? caller.id : assigneeId,
      goalId,
      q,
      priority: priority && priorityNumber(priority),
    };
    const shape = { summary: fields !== undefined, ranked: isRanked(query) };
    return this.issues.list(caller, filter, sort, pageRequest(query, nameOfOrder(query)), shape);
  }

  /** Summaries with why no agent works on each. An issue that was deleted since the page was read is left out. */
  async explained(caller: Principal, rows: SummaryRow[]): Promise<ExplainedIssueResponse[]> {
    const whys = await this.why.of(rows.map(({ id }) => id));
    return rows.flatMap((row) => {
      const why = whys.get(row.id);
      return why ? [{ ...IssueSummaryResponse.from(row, caller), why: WhyResponse.from(why) }] : [];
    });
  }
}
