import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import { prepared } from '../../platform/database/service.client.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { type Seen, visibilityOf } from '../projects/visibility.js';
import { Comment } from './comment.entity.js';

/** A comment as it is written. Its times are the database's. */
export type NewComment = Pick<
  Comment,
  'id' | 'issueId' | 'content' | 'authorType' | 'authorId' | 'authorName'
>;

/** A comment as it is read; `transactionId` is for comparisons in the database. */
export type CommentRow = Omit<Comment, 'transactionId'>;

/** A comment with the caller's rank in the project of its issue. */
export type SeenComment = CommentRow & Seen & { projectId: string };

/** The place of a comment in the order of its issue. */
export interface CommentPlace {
  createdAt: string;
  id: string;
}

const COLUMNS = `
  c.id, c.issue_id AS "issueId", c.content, c.author_type AS "authorType", c.author_id AS "authorId",
  c.author_name AS "authorName", c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

const ADD = prepared(
  'comments.add',
  `INSERT INTO comments AS c (id, issue_id, content, author_type, author_id, author_name)
   VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${COLUMNS}`,
);

/** Beside what TypeORM gives, the statements about comments that stay SQL (decision 0053). */
@Injectable()
export class CommentRepository extends Repository<Comment> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(Comment, source.manager);
  }

  /** SQL: visibility in the same read. Returns null for an id that is malformed, unknown, or not seen by the caller. */
  async findSeen(caller: Principal, id: string): Promise<SeenComment | null> {
    if (!isUuid(id)) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    const [seen] = await this.query<SeenComment[]>(
      `SELECT ${COLUMNS}, i.project_id AS "projectId", ${visibility.rank} AS "callerRank"
       FROM comments c JOIN issues i ON i.id = c.issue_id JOIN projects p ON p.id = i.project_id ${visibility.membership}
       WHERE c.id = $1 AND ${visibility.seen}`,
      [id, ...visibility.parameters],
    );
    return seen ?? null;
  }

  /** SQL: a keyset page, oldest first. */
  list(issueId: string, page: PageRequest): Promise<Page<CommentRow>> {
    const list = { columns: COLUMNS, from: 'comments c', where: 'c.issue_id = $1', parameters: [issueId] };
    return this.pages.readOldestFirst<CommentRow>(list, page, 'c');
  }

  /**
   * SQL: a window over the bytes. Returns comments newest first, from one on: at most `most`, and as long as those before it
   * have less than so many bytes of text.
   * @param from null for the newest
   */
  newestFrom(issueId: string, from: CommentPlace | null, most: number, bytes: number): Promise<CommentRow[]> {
    return this.query(
      `SELECT ${COLUMNS} FROM (
         SELECT every.*, sum(octet_length(content)) OVER newest - octet_length(content) AS earlier FROM (
           SELECT * FROM comments
           WHERE issue_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) <= ($2::timestamptz, $3::uuid))
           ORDER BY created_at DESC, id DESC LIMIT $4) AS every
         WINDOW newest AS (ORDER BY created_at DESC, id DESC ROWS UNBOUNDED PRECEDING)) AS c
       WHERE c.earlier < $5::bigint ORDER BY c.created_at DESC, c.id DESC`,
      [issueId, from?.createdAt ?? null, from?.id ?? null, most, bytes],
    );
  }

  /** SQL: agents write a comment in most turns, and the row comes back with the times of the database. */
  async add({ id, issueId, content, authorType, authorId, authorName }: NewComment): Promise<CommentRow> {
    const [row] = await this.query<CommentRow[]>(ADD, [
      id,
      issueId,
      content,
      authorType,
      authorId,
      authorName,
    ]);
    return row!;
  }

  /** Replaces the text and returns the time of the change; null where the comment has been deleted. */
  async replaceContent(id: string, content: string): Promise<Date | null> {
    const { raw } = await this.createQueryBuilder()
      .update()
      .set({ content, updatedAt: () => 'now()' })
      .where({ id })
      .returning(['updatedAt'])
      .execute();
    const [row] = raw as { updated_at: Date }[];
    return row?.updated_at ?? null;
  }
}
