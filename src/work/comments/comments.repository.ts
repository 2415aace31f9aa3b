import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/auth/principal.js';
import { Database } from '../../platform/database/database.js';
import { readOldestFirst } from '../../platform/database/keyset.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import type { Seen } from '../projects/require-role.js';
import { visibilityOf } from '../projects/visibility.js';
import { CommentEntity } from './comment.entity.js';

/** A comment with the caller's rank in its project, which it belongs to by its issue. */
export type SeenComment = CommentEntity & Seen & { projectId: string };

@Injectable()
export class CommentsRepository {
  constructor(private readonly database: Database) {}

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

  list(issueId: string, page: PageRequest): Promise<Page<CommentEntity>> {
    const list = { columns: COLUMNS, from: 'comments c', where: 'c.issue_id = $1', parameters: [issueId] };
    return readOldestFirst<CommentEntity>(this.database, list, page, 'c');
  }

  async insert(comment: Omit<CommentEntity, 'createdAt' | 'updatedAt'>): Promise<CommentEntity> {
    const { id, issueId, content, authorType, authorId, authorName } = comment;
    const [row] = await this.database.prepared<CommentEntity>(
      'comments.insert',
      `INSERT INTO comments AS c (id, issue_id, content, author_type, author_id, author_name)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${COLUMNS}`,
      [id, issueId, content, authorType, authorId, authorName],
    );
    return row!;
  }

  /** null where it was deleted meanwhile. */
  async setContent(id: string, content: string): Promise<CommentEntity | null> {
    return this.database.row<CommentEntity>(
      `UPDATE comments c SET content = $2, updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, content],
    );
  }

  /** @returns false where it was deleted meanwhile */
  async delete(id: string): Promise<boolean> {
    return (await this.database.change('DELETE FROM comments WHERE id = $1', [id])) === 1;
  }
}

const COLUMNS = `
  c.id, c.issue_id AS "issueId", c.content, c.author_type AS "authorType", c.author_id AS "authorId",
  c.author_name AS "authorName", c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;
