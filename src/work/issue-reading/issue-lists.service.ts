import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import {
  type Page,
  type PageRequest,
  pageRequest,
  sendPageHeaders,
} from '../../platform/http/page-and-cursor.query.js';
import {
  ISSUE_COLUMNS,
  type IssueRow,
  issueTables,
  SUMMARY_COLUMNS,
  type SummaryRow,
} from '../issue-status/issue-row.js';
import { visibilityOf } from '../projects/visibility.js';
import {
  conditionsOf,
  type IssueFilter,
  type IssueSort,
  merged,
  orderOf,
  sortKeyOf,
} from './issue-filter-and-order.js';
import { isRanked, nameOfOrder, SEARCH_LIMIT, searched } from './issue-search.js';
import {
  type ExplainedIssueResponse,
  IssueResponse,
  IssueSummaryResponse,
  type ListedIssueResponse,
  WhyResponse,
} from './issue.response.js';
import { filterOf, type ListIssuesQuery } from './list-issues-and-activity.query.js';
import { WhyService } from './why.service.js';

@Injectable()
export class IssueListRepository {
  constructor(private readonly pages: KeysetPagesService) {}

  /**
   * Returns a page of the matching issues that the caller sees.
   * @param ranked whether the best matches of a search come first, each with its `fit`
   */
  list(
    caller: Principal,
    filter: IssueFilter,
    sort: IssueSort,
    page: PageRequest,
    { summary, ranked }: { summary: boolean; ranked: boolean },
  ): Promise<Page<IssueRow>> {
    const visibility = visibilityOf(caller, 'p', 1);
    const parameters = [...visibility.parameters];
    const bind = (value: unknown) => `$${parameters.push(value)}`;
    const issues = filter.q === undefined ? 'issues' : searched(filter, visibility, bind, ranked);
    const where = [visibility.seen, ...conditionsOf(filter, bind)].join(' AND ');
    return this.pages.read<IssueRow & { fit?: number }>(
      {
        columns: `${summary ? SUMMARY_COLUMNS : ISSUE_COLUMNS}${ranked ? ', i.fit' : ''}`,
        from: `${issueTables(issues)} ${visibility.membership}`,
        countedFrom: `${issues} i JOIN projects p ON p.id = i.project_id ${visibility.membership}`,
        where,
        narrowed: filter.q === undefined ? merged(filter, sort, visibility) : undefined,
        parameters,
        ...orderOf(sort, ranked),
        keyOf: (row) => sortKeyOf(sort, row),
        hasShortRows: summary,
      },
      page,
    );
  }
}

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
    const filter = { ...filterOf(caller, query), ids: query.ids };
    const shape = { summary: query.fields !== undefined, ranked: isRanked(query) };
    return this.issues.list(caller, filter, query.sort, pageRequest(query, nameOfOrder(query)), shape);
  }

  /** Summaries with why no agent works on each. An issue that was deleted since the page was read is left out. */
  async explained(caller: Principal, rows: SummaryRow[]): Promise<ExplainedIssueResponse[]> {
    const whys = await this.why.of(rows.map(({ id }) => id));
    return rows.flatMap((row) => {
      const found = whys.get(row.id);
      if (!found) return [];
      const { why, code } = found;
      return [{ ...IssueSummaryResponse.from(row, caller), why: WhyResponse.from(why), code }];
    });
  }
}
