import { isCursorOf } from '../../platform/http/page-and-cursor.query.js';
import { type IssueKey, parseIssueReference } from '../issue-status/issue-row-and-references.js';
import type { Visibility } from '../projects/visibility.js';
import type { Bind, IssueFilter, IssueSort } from './issue-filter-and-order.js';

/** One term of a search, as the function `search_terms` of the database makes it of a text. */
export interface SearchTerm {
  text: string;
  /** Whether words that begin with it match as well: the person may still be typing it. */
  isBeginning: boolean;
}

/** A single character joins the words beside it (`1.2.3`, `src/main.ts`, `PAY-1771`), which are then found in this order. */
const JOINERS = '@/:.+#_-';
/** Scripts that write words without spaces, and signs: a text is found by each pair of neighbours. */
const UNSPACED =
  '\\u0e01-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u30fa' +
  '\\u30fc-\\u9fff\\uac00-\\ud7ff\\uf900-\\ufaff\\u{1f000}-\\u{1faff}\\u{20000}-\\u{3ffff}';
const SEPARATORS =
  '\\u0001-"$-*,;-?[-^`{-\\u00bf\\u00d7\\u00f7\\u2000-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2e00-\\u2e7f\\u3000-\\u3004' +
  '\\u3008-\\u3020\\u3030\\u30fb\\ufe00-\\ufe6f\\ufeff\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u0589\\u05be\\u05c3';

const separators = new RegExp(`[${SEPARATORS}]+`, 'gu');
const joiners = new RegExp(`[${JOINERS}]`, 'gu');
const unspaced = new RegExp(`[${UNSPACED}]`, 'u');
const pieces = new RegExp(`[${UNSPACED}]+|[^ ${UNSPACED}]+`, 'gu');

/** The database cuts longer words and pairs here. */
const WORD_LENGTH = 200;
const PAIR_LENGTH = 400;

/**
 * The terms that a text must all have for `q` to find it, none when `q` has no letter, digit or sign. The last word may be
 * a beginning, of at least two characters: words that begin with one letter are in nearly every issue.
 */
export function searchTerms(q: string): SearchTerm[] {
  const found = folded(q).replace(separators, ' ').match(pieces) ?? [];
  const terms = found.flatMap((piece) => (unspaced.test(piece) ? pairsOfSigns(piece) : wordsAndPairs(piece)));
  const last = terms.at(-1);
  if (last && !unspaced.test(last.text)) last.isBeginning = [...last.text].length > 1;
  return terms;
}

/**
 * The terms as a `tsquery`, which needs no escapes: quotes and backslashes separate words.
 * @param mark the beginning of the lexemes to look for, where they are not those of the whole text
 */
export function queryOf(terms: readonly SearchTerm[], mark = ''): string {
  return terms.map(({ text, isBeginning }) => `'${mark}${text}'${isBeginning ? ':*' : ''}`).join(' & ');
}

/** Folds case in every script, and the widths and compositions that Unicode calls compatible. */
function folded(text: string): string {
  const lower = text.normalize('NFKC').toUpperCase().toLowerCase();
  return lower.replaceAll('ς', 'σ').replaceAll('\u0307', '');
}

/** Each pair of neighbours; a single sign is the beginning of a pair, or stands at the end of a run. */
function pairsOfSigns(run: string): SearchTerm[] {
  const signs = [...run];
  if (signs.length === 1) return [{ text: run, isBeginning: true }];
  return signs.slice(1).map((sign, index) => ({ text: `${signs[index]}${sign}`, isBeginning: false }));
}

/** The pairs of joined words, which hold the words themselves, and the words that nothing joins. */
function wordsAndPairs(piece: string): SearchTerm[] {
  const parts = piece.replace(joiners, ' $&').split(' ');
  const words = parts.map((part, index) => (index === 0 ? part : part.slice(1)));
  return words.flatMap((word, index) => {
    if (word === '') return [];
    if (words[index - 1]) return [exact(`${words[index - 1]}${parts[index]}`, PAIR_LENGTH)];
    return words[index + 1] ? [] : [exact(word, WORD_LENGTH)];
  });
}

const exact = (text: string, length: number): SearchTerm => ({
  text: [...text].slice(0, length).join(''),
  isBeginning: false,
});

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
