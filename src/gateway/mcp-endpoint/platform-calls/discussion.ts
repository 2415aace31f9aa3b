import { Injectable } from '@nestjs/common';
import { encodeCursor } from '../../../platform/http/cursor.js';
import { OLDEST_FIRST, pageRequest } from '../../../platform/http/page.js';
import { CommentsService } from '../../../work/comments/comments.service.js';
import { CommentResponse } from '../../../work/comments/dto/comment.response.js';
import type { SeenIssue } from '../../../work/issues/issues.repository.js';

/** Comments that one answer holds: a model reads all of them. */
const COMMENTS_AT_ONCE = 100;

/** What people and agents said about an issue, oldest first. */
@Injectable()
export class Discussion {
  constructor(private readonly comments: CommentsService) {}

  /** @param cursor `nextCommentsCursor` of the answer before */
  async of(
    issue: SeenIssue,
    cursor?: string,
  ): Promise<{ comments: CommentResponse[]; nextCommentsCursor: string | null }> {
    const { rows, next } = await this.comments.list(
      issue,
      pageRequest({ limit: COMMENTS_AT_ONCE, cursor, count: false }),
    );
    return {
      comments: rows.map(CommentResponse.from),
      nextCommentsCursor: next && encodeCursor(next, OLDEST_FIRST),
    };
  }
}
