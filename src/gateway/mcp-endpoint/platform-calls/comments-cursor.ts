import { validate as isUuid } from 'uuid';
import { decodeCursor, encodeCursor, notACursor } from '../../../platform/http/pages/cursor.js';
import type { CommentPlace } from '../../../work/comments/comments.repository.js';

/** Where the comments of a page begin: at one, and in it at a character. */
export interface CommentsFrom extends CommentPlace {
  offset: number;
}

const ORDER = 'newestFirst';

export function cursorAt({ createdAt, id }: { createdAt: Date; id: string }, offset: number): string {
  return encodeCursor([createdAt.toISOString(), id, offset], ORDER);
}

/** @throws {ValidationFailed} for a value that is not such a cursor */
export function commentsFrom(cursor: string): CommentsFrom {
  const [createdAt, id, offset, ...others] = decodeCursor(cursor, ORDER);
  if (!isTime(createdAt) || !isUuid(id) || typeof offset !== 'number' || others.length > 0)
    throw notACursor();
  return { createdAt, id: String(id), offset };
}

function isTime(value: unknown): value is string {
  return (
    typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value
  );
}
