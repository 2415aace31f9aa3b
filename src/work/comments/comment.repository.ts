import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principal.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { readOldestFirst } from '../../platform/database/keyset.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { type Seen, visibilityOf } from '../projects/visibility.js';

/** The kinds of authors of comments (contract §5.4). */
export const authorTypes = ['User', 'Agent', 'System'] as const;
export type AuthorType = (typeof authorTypes)[number];

/** A comment on an issue. The author's name stays as it was when the comment was written. */
export interface CommentRow {
  id: string;
  issueId: string;
  content: string;
  authorType: AuthorType;
  authorId: string | null;
  authorName: string;
  createdAt: Date;
  updatedAt: Date;
}

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

@Injectable()
export class CommentsRepository {
  constructor(private readonly database: DatabaseService) {}

  async findSeen(caller: Principal, id: string): Promise<SeenComment | null> {
    if (!isUuid(id)) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    return this.database.row<SeenComment>(
      `SELECT ${COLUMNS}, i.project_id AS "projectId", ${visibility.rank} AS "callerRank"
       FROM comments c JOIN issues i ON i.id = c.issue_id JOIN projects p ON p.id = i.project_id ${visibility.membership}
       WHERE c.id = $1 AND ${visibility.seen}`,
      [id, ...visibility.parameters],
    );
  }

  list(issueId: string, page: PageRequest): Promise<Page<CommentRow>> {
    const list = { columns: COLUMNS, from: 'comments c', where: 'c.issue_id = $1', parameters: [issueId] };
    return readOldestFirst<CommentRow>(this.database, list, page, 'c');
  }

  /**
   * Returns comments newest first, from one on: at most `most`, and as long as those before it have less than so many
   * bytes of text.
   * @param from null for the newest
   */
  newestFrom(issueId: string, from: CommentPlace | null, most: number, bytes: number): Promise<CommentRow[]> {
    return this.database.rows<CommentRow>(
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

  async insert(comment: Omit<CommentRow, 'createdAt' | 'updatedAt'>): Promise<CommentRow> {
    const { id, issueId, content, authorType, authorId, authorName } = comment;
    const [row] = await this.database.prepared<CommentRow>(
      'comments.insert',
      `INSERT INTO comments AS c (id, issue_id, content, author_type, author_id, author_name)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${COLUMNS}`,
      [id, issueId, content, authorType, authorId, authorName],
    );
    return row!;
  }

  /** Returns null when it has been deleted. */
  async setContent(id: string, content: string): Promise<CommentRow | null> {
    return this.database.row<CommentRow>(
      `UPDATE comments c SET content = $2, updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, content],
    );
  }

  /** @returns false when it had been deleted */
  async delete(id: string): Promise<boolean> {
    return (await this.database.change('DELETE FROM comments WHERE id = $1', [id])) === 1;
  }
}
