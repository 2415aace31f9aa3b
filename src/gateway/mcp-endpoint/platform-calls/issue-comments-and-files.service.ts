import { Injectable } from '@nestjs/common';
import { encodeCursor } from '../../../platform/http/pages/cursor.js';
import { OLDEST_FIRST, pageRequest } from '../../../platform/http/pages/page.js';
import { AttachmentsService } from '../../../work/attachments/attachments.service.js';
import { AttachmentResponse } from '../../../work/attachments/dto/attachment.response.js';
import { CommentsService } from '../../../work/comments/comments.service.js';
import { CommentResponse } from '../../../work/comments/dto/comment.response.js';
import type { SeenIssue } from '../../../work/issues/issues.repository.js';

/** The most comments in one result, because a model reads all of them. */
const COMMENTS_AT_ONCE = 100;

/** The newest files of an issue that come with it. `platform__list_attachments` lists all. */
const FILES_AT_ONCE = 100;

/** What people and agents added to an issue, as tools return it. */
export interface CommentsAndFiles {
  comments: CommentResponse[];
  nextCommentsCursor: string | null;
  attachments: AttachmentResponse[];
}

/** Reads the comments and files of an issue for tools, oldest first. */
@Injectable()
export class IssueCommentsAndFilesService {
  constructor(
    private readonly comments: CommentsService,
    private readonly attachments: AttachmentsService,
  ) {}

  /** @param cursor `nextCommentsCursor` of the previous result */
  async of(issue: SeenIssue, cursor?: string): Promise<CommentsAndFiles> {
    const { rows, next } = await this.comments.list(
      issue,
      pageRequest({ limit: COMMENTS_AT_ONCE, cursor, count: false }),
    );
    return {
      comments: rows.map(CommentResponse.from),
      nextCommentsCursor: next && encodeCursor(next, OLDEST_FIRST),
      attachments: (await this.attachments.newest(issue, FILES_AT_ONCE)).map(AttachmentResponse.from),
    };
  }
}
