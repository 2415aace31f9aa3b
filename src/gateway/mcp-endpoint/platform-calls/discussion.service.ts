import { Injectable } from '@nestjs/common';
import { encodeCursor } from '../../../platform/http/pages/cursor.js';
import { OLDEST_FIRST, pageRequest } from '../../../platform/http/pages/page.js';
import { CommentsService } from '../../../work/comments/comments.service.js';
import { CommentResponse } from '../../../work/comments/dto/comment.response.js';
import type { SeenIssue } from '../../../work/issues/issues.repository.js';

/** The most comments in one result, because a model reads all of them. */
const COMMENTS_AT_ONCE = 100;

/** Reads the comments of an issue for tools, oldest first. */
@Injectable()
export class DiscussionService {
  constructor(private readonly comments: CommentsService) {}

  /** @param cursor `nextCommentsCursor` of the previous result */
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
