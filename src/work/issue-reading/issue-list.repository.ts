import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/authentication/principal.js';
import { KeysetPagesService, type PageClauses } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page.query.js';
import { ISSUE_COLUMNS, type IssueRow, issueTables, SUMMARY_COLUMNS } from '../issue-status/issue-row.js';
import { type Visibility, visibilityOf } from '../projects/visibility.js';
import {
  alternativesOf,
  type Bind,
  conditionsOf,
  conditionsOfPlace,
  type IssueFilter,
  searched,
} from './issue-search.js';
import { type IssueSort, orderOf, sortKeyOf } from './issue-sort.js';

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
