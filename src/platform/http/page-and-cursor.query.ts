import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Max, Min } from 'class-validator';
import type { Request, Response } from 'express';
import { crc32 } from 'node:zlib';
import { ValidationFailed } from './problem.js';
import { textError } from './text-and-instant-rules.js';
import { MayBeAbsent, toBoolean, toWholeNumber } from './validation.pipe.js';

/** The most rows of a page. */
export const MOST_ROWS = 1_000;

/** The query parameters of every list with pages (contract §1). */
export class PageQuery {
  /** The maximum number of rows. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MOST_ROWS, default: 500, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(MOST_ROWS)
  limit: number = 500;

  /** The cursor from the `Link` header of the previous response. */
  @MayBeAbsent()
  @IsString()
  cursor?: string;

  /** true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
  @ApiProperty({ type: 'boolean', default: false, required: false })
  @Transform(toBoolean)
  @IsBoolean()
  count: boolean = false;
}

/** One column of a list's order, in the last row of a page. */
export type CursorValue = string | number;

/**
 * Returns the cursor of the next page, an opaque word: the sort key of the last row of this page. The checksum ties it
 * to its order and detects a truncated one. It is not a signature, so the contents of a cursor are bound as parameters
 * and never trusted.
 */
export function encodeCursor(values: CursorValue[], sort: string): string {
  return Buffer.from(JSON.stringify([checksum(values, sort), ...values])).toString('base64url');
}

/** @throws {ValidationFailed} naming `cursor` when it is not a cursor of this order */
export function decodeCursor(cursor: string, sort: string): CursorValue[] {
  const values = valuesIn(cursor);
  if (values && encodeCursor(values, sort) === cursor) return values;
  throw notACursor();
}

/** Whether a cursor is of this order, for a list that has several. */
export function isCursorOf(cursor: string, sort: string): boolean {
  const values = valuesIn(cursor);
  return values !== null && encodeCursor(values, sort) === cursor;
}

/** Returns the error for a value that is not a cursor of the list. */
export function notACursor(): ValidationFailed {
  return new ValidationFailed([
    {
      path: 'cursor',
      message:
        'is not a cursor of this list: take it from the Link header of the previous page, with the same sort',
    },
  ]);
}

function valuesIn(cursor: string): CursorValue[] | null {
  const [, ...values] = listIn(cursor);
  return values.every(isCursorValue) ? values : null;
}

function listIn(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    // A cursor that this service did not make has no values, which the caller rejects.
    return [];
  }
}

function isCursorValue(value: unknown): value is CursorValue {
  return typeof value === 'number' || (typeof value === 'string' && textError(value) === null);
}

function checksum(values: CursorValue[], sort: string): number {
  return crc32(JSON.stringify([sort, ...values]));
}

/** Counts stop here: counting a million rows would be more expensive than the page (contract §1). */
export const COUNT_LIMIT = 10_000;

/** A page to be read: `after` is the sort key of the last row of the previous page. */
export interface PageRequest {
  limit: number;
  after: CursorValue[] | null;
  /** Where counting the rows of the list stops; null when they are not counted. */
  countUpTo: number | null;
}

/** A page that was read: `next` is the sort key to continue from, null on the last page. */
export interface Page<Row> {
  rows: Row[];
  next: CursorValue[] | null;
  /** Up to COUNT_LIMIT + 1, null when it was not requested. */
  total: number | null;
}

/** The name of the order of every list of an object's parts: oldest first. */
export const OLDEST_FIRST = 'createdAt';

/**
 * @param sort name of the order; a cursor of another order is rejected
 * @throws {ValidationFailed} naming `cursor`
 */
export function pageRequest(query: PageQuery, sort: string = OLDEST_FIRST): PageRequest {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, sort);
  return { limit: query.limit, after, countUpTo: query.count ? COUNT_LIMIT + 1 : null };
}

/** Sends the `Link` header to the next page, and how many rows the list has. */
export function sendPageHeaders(
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

/**
 * Returns the `Link` header of the next page: the request's own path and query with `cursor` in it, so that a client
 * which follows it keeps its filters (RFC 8288).
 * @param originalUrl path and query as the client sent them
 */
export function nextLink(originalUrl: string, cursor: string): string {
  // Parsed as a whole address, so that characters which would end the link early come out escaped.
  const { pathname, searchParams } = new URL(`http://host${originalUrl}`);
  searchParams.set('cursor', cursor);
  return `<${pathname}?${searchParams}>; rel="next"`;
}
