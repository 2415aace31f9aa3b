import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import type { Principal } from '../../platform/authentication/principal.js';
import { KeysetPagesService, type PageClauses } from '../../platform/database/keyset-pages.service.js';
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
import { priorityNumber, type Status } from '../issue-status/issue-status.js';
import { type Visibility, visibilityOf } from '../projects/visibility.js';
import {
  alternativesOf,
  type Bind,
  conditionsOf,
  conditionsOfPlace,
  isRanked,
  type IssueFilter,
  nameOfOrder,
  SEARCH_LIMIT,
  searched,
} from './issue-search.js';
import { type IssueSort, orderOf, sortKeyOf } from './issue-sort.js';
import {
  type ExplainedIssueResponse,
  IssueResponse,
  IssueSummaryResponse,
  type ListedIssueResponse,
  WhyResponse,
} from './issue.response.js';
import type { ListIssuesQuery } from './list-issues.query.js';
import { WhyService } from './why.service.js';

/**
 * A join that restricts `issues i` to the rows of a page. For each alternative of the filter the first rows are read from
 * an index in the list's order, then the first of all those are taken, so that a page reads few more rows than it returns.
 * Only ids are chosen in this way, by index-only scans.
 * @returns undefined when one index serves the whole list: named issues, or one project by age
 */
export function merged(filter: IssueFilter, sort: IssueSort, visibility: Visibility) {
  if (filter.ids || isProjectByAge(filter, sort)) return undefined;
  return ({ beyond, order, limit, columns }: PageClauses, bind: Bind) => {
    const places = [...conditionsOfPlace(filter, bind), ...placesSeen(filter, visibility)];
    const alternatives = alternativesOf(filter, bind);
    const first = (alternative: string) =>
      `(SELECT ${columns} FROM issues i WHERE ${[alternative, ...places, beyond].join(' AND ')} ORDER BY ${order} LIMIT ${limit})`;
    return `JOIN (SELECT i.id FROM (${alternatives.map(first).join(' UNION ALL ')}) i
                  ORDER BY ${order} LIMIT ${limit}) chosen ON chosen.id = i.id`;
  };
}

function isProjectByAge(filter: IssueFilter, sort: IssueSort): boolean {
  const { projectId, status, assigneeId, goalId, priority } = filter;
  const isNarrowed = status || assigneeId || goalId || priority !== undefined;
  return projectId !== undefined && !isNarrowed && sort.endsWith('createdAt');
}

/**
 * A list of one project was checked before, so it needs no condition. IS TRUE keeps the planner from scanning one index
 * per project, which would return the rows out of order.
 */
function placesSeen({ projectId }: IssueFilter, { membership, seen }: Visibility): string[] {
  if (projectId !== undefined) return [];
  return [`(i.project_id = ANY(ARRAY(SELECT p.id FROM projects p ${membership} WHERE ${seen}))) IS TRUE`];
}

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

/** How many issues of a project have each status, and what those that wait wait for (contract §4.1). */
@Injectable()
export class IssueCountsRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** Counts the issues of a project by status, from an index alone. A status without issues is missing. */
  byStatus(projectId: string): Promise<{ status: Status; issues: number }[]> {
    return this.source.query(
      `SELECT status, count(*)::int AS issues FROM issues WHERE project_id = $1 GROUP BY status`,
      [projectId],
    );
  }

  /** Counts the issues of a project that wait for a decision or answer of a person. */
  async onPerson(projectId: string): Promise<number> {
    const [row] = await this.source.query<{ issues: number }[]>(
      `SELECT count(DISTINCT issue_id)::int AS issues FROM gates WHERE project_id = $1 AND holds`,
      [projectId],
    );
    return row!.issues;
  }
}
