import { isCursorOf } from '../../../platform/http/pages/cursor.js';
import type { Visibility } from '../../projects/visibility.js';
import { parseIssueReference, type IssueKey } from '../issue-reference.js';
import type { Bind, IssueFilter } from './issue-filter.js';
import type { IssueSort } from './issue-sort.js';
import { queryOf, searchTerms } from './search-terms.js';

/** A search considers at most so many matches, so that it never reads the whole table. The response says when it stopped. */
export const SEARCH_LIMIT = 1_000;

/** A page of at most so many rows of a search has the best matches first: that is what a person reads while typing. */
const RANKED_PAGE = 10;

/** The mark of a lexeme of the title. It holds a space, as that of the project does, so that no text can give it. */
const OF_TITLE = 't ';

/** How well an issue matches: by its key, by its title, or by title and description. */
const FIT = { key: 2, title: 1, text: 0 } as const;

/** What decides about the order of a list. */
export interface OrderRequest {
  q?: string | undefined;
  limit: number;
  cursor?: string | undefined;
  sort: IssueSort;
}

/** The name of the order of a list, which its cursors carry. */
export function nameOfOrder(request: OrderRequest): string {
  return isRanked(request) ? rankedName(request.sort) : request.sort;
}

/** Whether the best matches come first. A later page has the order of the first, whatever its own size is. */
export function isRanked({ q, limit, cursor, sort }: OrderRequest): boolean {
  if (q === undefined) return false;
  return cursor === undefined ? limit <= RANKED_PAGE : isCursorOf(cursor, rankedName(sort));
}

const rankedName = (sort: IssueSort) => `fit ${sort}`;

/**
 * A subquery, in place of the table, for the issues that `q` finds, each with its `fit`: the one with this key, and those
 * that have all terms of `q` in their title, or in title and description. The projects to search are part of the index
 * query, so that issues that the caller cannot see take no place among the matches.
 * @param ranked whether matches in titles are found by themselves: otherwise they may be beyond the limit
 */
export function searched(filter: IssueFilter, visibility: Visibility, bind: Bind, ranked: boolean): string {
  const { q = '' } = filter;
  const terms = searchTerms(q);
  const matches = [withKey(q, filter, visibility, bind)];
  if (terms.length > 0) {
    const place = placeOf(filter, visibility, bind);
    const having = (fit: number, query: string) =>
      `(SELECT issue_id, ${fit} AS fit FROM issue_words WHERE words @@ (${bind(query)}::tsquery && ${place}) LIMIT ${SEARCH_LIMIT})`;
    if (ranked) matches.push(having(FIT.title, queryOf(terms, OF_TITLE)));
    matches.push(having(FIT.text, queryOf(terms)));
  }
  // OFFSET 0 keeps the planner from joining with a scan of all issues.
  return `(SELECT i.*, w.fit FROM (
      SELECT issue_id, max(fit) AS fit FROM (${matches.join(' UNION ALL ')}) found
      GROUP BY issue_id ORDER BY fit DESC LIMIT ${SEARCH_LIMIT}
    ) w CROSS JOIN LATERAL (SELECT * FROM issues WHERE id = w.issue_id OFFSET 0) i)`;
}

/** The issue whose key is `q`, in any case, or whose number it is within a project. */
function withKey(
  q: string,
  { projectId }: IssueFilter,
  { membership, seen }: Visibility,
  bind: Bind,
): string {
  const key = keyIn(q);
  const isNumber = projectId !== undefined && /^[1-9]\d{0,8}$/.test(q.trim());
  const named = key
    ? `p.key = ${bind(key.projectKey)} AND i.number = ${bind(key.number)}`
    : isNumber
      ? `p.id = ${bind(projectId)} AND i.number = ${bind(Number(q))}`
      : 'false';
  return `(SELECT i.id AS issue_id, ${FIT.key} AS fit FROM issues i JOIN projects p ON p.id = i.project_id ${membership}
    WHERE ${named} AND ${seen})`;
}

function keyIn(q: string): IssueKey | null {
  const reference = parseIssueReference(q.trim().toUpperCase());
  return reference && 'number' in reference ? reference : null;
}

/** The lexemes of the projects to search, as a `tsquery`. */
function placeOf({ projectId }: IssueFilter, { membership, seen }: Visibility, bind: Bind): string {
  if (projectId !== undefined) return `${bind(`'in ${projectId}'`)}::tsquery`;
  return `(SELECT string_agg(quote_literal('in ' || p.id), ' | ')::tsquery FROM projects p ${membership} WHERE ${seen})`;
}
