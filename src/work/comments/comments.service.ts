import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { NotFound, Problem } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { GivenBackIssuesRepository } from '../issue-status/given-back-issues-and-attempts.repository.js';
import type { SeenIssue } from '../issue-status/issue.repository.js';
import { requireAuthorOrAdmin, requireRole } from '../projects/visibility.js';
import { QuotasService } from '../quotas/quotas.service.js';
import type { WriteCommentRequest } from './comment.dto.js';
import { type AuthorType, Comment } from './comment.entity.js';
import {
  type CommentPlace,
  CommentRepository,
  type CommentRow,
  type NewComment,
  type SeenComment,
} from './comment.repository.js';

/** 403: the body names another author type than the caller's own (contract §5.4). */
class AuthorTypeMismatch extends Problem {
  constructor(actual: AuthorType) {
    super(
      'author_type_mismatch',
      `This comment is written as ${actual}; send authorType ${actual}, or leave it out.`,
    );
  }
}

type CommentEvent = 'comment.created' | 'comment.updated' | 'comment.deleted';

/**
 * Manages comments on issues (contract §5.4). The journal records that a comment was written and by whom, never its text:
 * the journal is append-only, and a deleted text must be gone.
 */
@Injectable()
export class CommentsService {
  constructor(
    @InjectRepository(Comment) private readonly comments: CommentRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
    private readonly quotas: QuotasService,
    private readonly givenBack: GivenBackIssuesRepository,
  ) {}

  list(issue: SeenIssue, page: PageRequest): Promise<Page<CommentRow>> {
    return this.comments.list(issue.id, page);
  }

  /** Returns comments newest first, as `CommentRepository` reads them. */
  newestFrom(
    issue: SeenIssue,
    from: CommentPlace | null,
    most: number,
    bytes: number,
  ): Promise<CommentRow[]> {
    return this.comments.newestFrom(issue.id, from, most, bytes);
  }

  /**
   * @param issue that the caller sees and may write in
   * @param authorType as the body names it; absent: the caller's own
   * @throws AuthorTypeMismatch, QuotaExceeded, and NotFound when the issue has been deleted
   */
  async add(
    caller: Principal,
    issue: SeenIssue,
    content: string,
    authorType?: AuthorType,
  ): Promise<CommentRow> {
    const actual = authorTypeOf(caller);
    refuseOtherType(authorType, actual);
    return this.transactions.run(async () => {
      await this.endWait(caller, issue.id);
      const author = { authorType: actual, authorId: caller.id, authorName: caller.name };
      const comment = await this.insert({ id: uuidv7(), issueId: issue.id, content, ...author });
      await this.record('comment.created', comment, issue.projectId);
      await this.quotas.spend(caller, 'comments', { bytes: Buffer.byteLength(content) });
      return comment;
    });
  }

  /** Changes a comment, for its author or an Admin. It stays the author's. */
  async update(
    caller: Principal,
    commentId: string,
    { content, authorType }: WriteCommentRequest,
  ): Promise<CommentRow> {
    const seen = await this.changeable(caller, commentId);
    refuseOtherType(authorType, seen.authorType);
    return this.transactions.run(async () => {
      await this.endWait(caller, seen.issueId);
      const updatedAt = await this.comments.replaceContent(seen.id, content);
      if (updatedAt === null) throw new NotFound();
      const comment = { ...seen, content, updatedAt };
      await this.record('comment.updated', comment, seen.projectId);
      await this.quotas.spend(caller, 'comments', { bytes: Buffer.byteLength(content) });
      return comment;
    });
  }

  async delete(caller: Principal, commentId: string): Promise<void> {
    const seen = await this.changeable(caller, commentId);
    await this.transactions.run(async () => {
      await this.endWait(caller, seen.issueId);
      const { affected } = await this.comments.delete({ id: seen.id });
      if (affected !== 1) throw new NotFound();
      await this.record('comment.deleted', seen, seen.projectId);
    });
  }

  /** What a person says may be what the agent has released the issue for. */
  private async endWait(caller: Principal, issueId: string): Promise<void> {
    if (caller.type === 'user') await this.givenBack.endWait([issueId]);
  }

  private async changeable(caller: Principal, commentId: string): Promise<SeenComment> {
    const seen = requireRole(caller, await this.comments.findSeen(caller, commentId), 'Editor');
    requireAuthorOrAdmin(caller, seen, seen.authorId, 'comment');
    return seen;
  }

  private async insert(comment: NewComment): Promise<CommentRow> {
    try {
      return await this.comments.add(comment);
    } catch (error) {
      if (isForeignKeyViolation(error, 'comments_issue_fk')) throw new NotFound();
      throw error;
    }
  }

  private async record(type: CommentEvent, comment: CommentRow, projectId: string): Promise<void> {
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
