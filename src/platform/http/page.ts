import type { Request, Response } from 'express';
import { decodeCursor, encodeCursor, type CursorValue } from './cursor.js';
import { nextLink } from './link-header.js';
import type { PageQuery } from './page.query.js';

/** Counts stop here: counting a million rows would cost more than the page (spec §1). */
export const COUNT_LIMIT = 10_000;

/** A page to be read: `after` is the sort key of the last row of the page before. */
export interface PageRequest {
  limit: number;
  after: CursorValue[] | null;
  /** How far to count all rows of the list; null: not at all. */
  countUpTo: number | null;
}

/** A page that was read; `next` is the sort key to go on from, null on the last page. */
export interface Page<Row> {
  rows: Row[];
  next: CursorValue[] | null;
  /** Up to COUNT_LIMIT + 1, null where it was not asked for. */
  total: number | null;
}

/** The order of every list of an object's parts: oldest first. */
export const OLDEST_FIRST = 'createdAt';

/**
 * @param sort name of the order; a cursor of another order is refused
 * @throws ValidationFailed naming `cursor`
 */
export function pageRequest(query: PageQuery, sort: string = OLDEST_FIRST): PageRequest {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, sort);
  return { limit: query.limit, after, countUpTo: query.count ? COUNT_LIMIT + 1 : null };
}

/** Tells by headers how the list goes on and how long it is. */
export function tellPage(
  request: Request,
  response: Response,
  page: Page<unknown>,
  sort: string = OLDEST_FIRST,
): void {
  if (page.next) response.setHeader('Link', nextLink(request.originalUrl, encodeCursor(page.next, sort)));
  if (page.total === null) return;
  response.setHeader('X-Total-Count', Math.min(page.total, COUNT_LIMIT));
  if (page.total > COUNT_LIMIT) response.setHeader('X-Total-Count-Capped', 'true');
}
