import type { Visibility } from '../../projects/visibility.js';
import type { Bind, IssueFilter } from './issue-filter.js';

/** A search considers at most so many matches, so that it never reads the whole table. The response says when it stopped. */
export const SEARCH_LIMIT = 1_000;

/**
 * A subquery, in place of the table, for the issues that contain all the words of `q`. The projects to search are part of
 * the index query, so that issues that the caller cannot see take no place among the matches. Words without a letter or
 * digit match nothing.
 */
export function searched({ q, projectId }: IssueFilter, visibility: Visibility, bind: Bind): string {
  const words = `plainto_tsquery('simple', ${bind(q)})`;
  const place = projectId === undefined ? visiblePlaces(visibility) : `${bind(`'in ${projectId}'`)}::tsquery`;
  // OFFSET 0 keeps the planner from joining with a scan of all issues.
  return `(SELECT i.* FROM (
      SELECT issue_id FROM issue_words WHERE words @@ (${words} && ${place}) AND numnode(${words}) > 0 LIMIT ${SEARCH_LIMIT}
    ) w CROSS JOIN LATERAL (SELECT * FROM issues WHERE id = w.issue_id OFFSET 0) i)`;
}

const visiblePlaces = ({ membership, seen }: Visibility) =>
  `(SELECT string_agg(quote_literal('in ' || p.id), ' | ')::tsquery FROM projects p ${membership} WHERE ${seen})`;
