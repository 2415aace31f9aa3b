import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/auth/principal.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { readKeysetPage } from '../../../platform/database/keyset.js';
import type { Page, PageRequest } from '../../../platform/http/pages/page.js';
import { visibilityOf } from '../../projects/visibility.js';
import { conditionsOf, type IssueFilter } from './issue-filter.js';
import { merged } from './issue-merge.js';
import { ISSUE_COLUMNS, issueTables, SUMMARY_COLUMNS, type IssueRow } from '../issue-row.js';
import { searched } from './issue-search.js';
import { orderOf, sortKeyOf, type IssueSort } from './issue-sort.js';

@Injectable()
export class IssueListRepository {
  constructor(private readonly database: DatabaseService) {}

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
    return readKeysetPage<IssueRow & { fit?: number }>(
      this.database,
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
