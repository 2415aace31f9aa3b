import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/auth/principal.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { readOldestFirst } from '../../platform/database/keyset.js';
import type { Page, PageRequest } from '../../platform/http/pages/page.js';
import type { Seen } from '../projects/not-found-or-refused.js';
import { visibilityOf } from '../projects/visibility.js';
import type { CommentRow } from './comment-row.js';

/** A comment with the caller's rank in the project of its issue. */
export type SeenComment = CommentRow & Seen & { projectId: string };

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
