import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../platform/auth/principal.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { Transactions } from '../../platform/database/transactions.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { NotFound } from '../../platform/http/problem.js';
import { Journal } from '../../platform/journal/journal.js';
import type { SeenIssue } from '../issues/issues.repository.js';
import { requireAuthorOrAdmin, requireRole } from '../projects/require-role.js';
import type { AuthorType, CommentEntity } from './comment.entity.js';
import { AuthorTypeMismatch } from './comments.errors.js';
import { CommentsRepository, type SeenComment } from './comments.repository.js';
import type { WriteCommentRequest } from './dto/write-comment.request.js';

type CommentEvent = 'comment.created' | 'comment.updated' | 'comment.deleted';

/**
 * Comments on issues (spec §5.4). The journal tells that there was one and whose, never what it said: it is
 * append-only, and what someone deletes must be gone.
 */
@Injectable()
export class CommentsService {
  constructor(
    private readonly comments: CommentsRepository,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  list(issue: SeenIssue, page: PageRequest): Promise<Page<CommentEntity>> {
    return this.comments.list(issue.id, page);
  }

  /**
   * @param issue seen by the caller with the right to write
   * @param authorType what the caller says that it is; left out: what it is
   * @throws AuthorTypeMismatch, and NotFound where the issue was deleted meanwhile
   */
  async add(
    caller: Principal,
    issue: SeenIssue,
    content: string,
    authorType?: AuthorType,
  ): Promise<CommentEntity> {
    const actual = authorTypeOf(caller);
    refuseOtherType(authorType, actual);
    return this.transactions.run(async () => {
      const author = { authorType: actual, authorId: caller.id, authorName: caller.name };
      const comment = await this.insert({ id: uuidv7(), issueId: issue.id, content, ...author });
      await this.tell('comment.created', comment, issue.projectId);
      return comment;
    });
  }

  /** The author changes it, or an Admin; it stays the author's. */
  async update(
    caller: Principal,
    commentId: string,
    { content, authorType }: WriteCommentRequest,
  ): Promise<CommentEntity> {
    const seen = await this.changeable(caller, commentId);
    refuseOtherType(authorType, seen.authorType);
    return this.transactions.run(async () => {
      const comment = await this.comments.setContent(seen.id, content);
      if (!comment) throw new NotFound();
      await this.tell('comment.updated', comment, seen.projectId);
      return comment;
    });
  }

  async delete(caller: Principal, commentId: string): Promise<void> {
    const seen = await this.changeable(caller, commentId);
    await this.transactions.run(async () => {
      if (!(await this.comments.delete(seen.id))) throw new NotFound();
      await this.tell('comment.deleted', seen, seen.projectId);
    });
  }

  private async changeable(caller: Principal, commentId: string): Promise<SeenComment> {
    const seen = requireRole(caller, await this.comments.findSeen(caller, commentId), 'Editor');
    requireAuthorOrAdmin(caller, seen, seen.authorId, 'comment');
    return seen;
  }

  private async insert(comment: Omit<CommentEntity, 'createdAt' | 'updatedAt'>): Promise<CommentEntity> {
    try {
      return await this.comments.insert(comment);
    } catch (fault) {
      if (isForeignKeyViolation(fault, 'comments_issue_fk')) throw new NotFound();
      throw fault;
    }
  }

  private async tell(type: CommentEvent, comment: CommentEntity, projectId: string): Promise<void> {
    const { id, issueId, authorType } = comment;
    const data = { commentId: id, authorType };
    await this.journal.record({ type, subject: { type: 'comment', id }, projectId, issueId, data });
  }
}

function authorTypeOf(caller: Principal): AuthorType {
  return caller.type === 'agent' ? 'Agent' : 'User';
}

function refuseOtherType(said: AuthorType | undefined, actual: AuthorType): void {
  if (said !== undefined && said !== actual) throw new AuthorTypeMismatch(actual);
}
