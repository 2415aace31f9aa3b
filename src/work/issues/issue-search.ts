import type { Visibility } from '../projects/visibility.js';
import type { Bind, IssueFilter } from './issue-filter.js';

/** So many matches are looked at, at most: a search never reads the whole table, and says so where it stopped. */
export const SEARCH_LIMIT = 1_000;

/**
 * The issues that hold all the words of `q`, in place of the table. The projects that are searched are part of the
 * index's own query, so that what the caller can't see takes no place among the matches. Words that hold no letter
 * or digit are found nowhere.
 */
export function searched({ q, projectId }: IssueFilter, visibility: Visibility, bind: Bind): string {
  const words = `plainto_tsquery('simple', ${bind(q)})`;
  const place = projectId === undefined ? visiblePlaces(visibility) : `${bind(`'in ${projectId}'`)}::tsquery`;
  // OFFSET keeps the planner from joining by a pass over all issues.
  return `(SELECT i.* FROM (
      SELECT issue_id FROM issue_words WHERE words @@ (${words} && ${place}) AND numnode(${words}) > 0 LIMIT ${SEARCH_LIMIT}
    ) w CROSS JOIN LATERAL (SELECT * FROM issues WHERE id = w.issue_id OFFSET 0) i)`;
}

const visiblePlaces = ({ membership, seen }: Visibility) =>
  `(SELECT string_agg(quote_literal('in ' || p.id), ' | ')::tsquery FROM projects p ${membership} WHERE ${seen})`;
