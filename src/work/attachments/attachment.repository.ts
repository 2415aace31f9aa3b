import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principal.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { type Seen, visibilityOf } from '../projects/visibility.js';

/** A file on an issue. Its bytes are in the store under the same id. */
export interface AttachmentRow {
  id: string;
  issueId: string;
  filename: string;
  contentType: string;
  /** Whether the bytes are the raster image that the content type names. */
  isRasterImage: boolean;
  /** In bytes; text, since bigint is wider than a number. */
  size: string;
  /** In hex. */
  sha256: string;
  uploadedByType: 'user' | 'agent' | 'system';
  uploadedById: string | null;
  uploadedByName: string;
  createdAt: Date;
}

/** An attachment with the caller's rank in its project, which it belongs to by its issue. */
export type SeenAttachment = AttachmentRow & Seen & { projectId: string };

const COLUMNS = `
  a.id, a.issue_id AS "issueId", a.filename, a.content_type AS "contentType", a.is_raster_image AS "isRasterImage",
  a.size, a.sha256, a.uploaded_by_type AS "uploadedByType", a.uploaded_by_id AS "uploadedById",
  a.uploaded_by_name AS "uploadedByName", a.created_at AS "createdAt"`;

@Injectable()
export class AttachmentsRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly pages: KeysetPagesService,
  ) {}

  async findSeen(caller: Principal, id: string): Promise<SeenAttachment | null> {
    if (!isUuid(id)) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    return this.database.row<SeenAttachment>(
      `SELECT ${COLUMNS}, i.project_id AS "projectId", ${visibility.rank} AS "callerRank"
       FROM attachments a JOIN issues i ON i.id = a.issue_id JOIN projects p ON p.id = i.project_id ${visibility.membership}
       WHERE a.id = $1 AND ${visibility.seen}`,
      [id, ...visibility.parameters],
    );
  }

  list(issueId: string, page: PageRequest): Promise<Page<AttachmentRow>> {
    const list = { columns: COLUMNS, from: 'attachments a', where: 'a.issue_id = $1', parameters: [issueId] };
    return this.pages.readOldestFirst<AttachmentRow>(list, page, 'a');
  }

  async newest(issueId: string, limit: number): Promise<AttachmentRow[]> {
    const rows = await this.database.rows<AttachmentRow>(
      `SELECT ${COLUMNS} FROM attachments a WHERE a.issue_id = $1 ORDER BY a.created_at DESC, a.id DESC LIMIT $2`,
      [issueId, limit],
    );
    return rows.toReversed();
  }

  async insert(attachment: Omit<AttachmentRow, 'createdAt'>): Promise<AttachmentRow> {
    const { id, issueId, filename, contentType, isRasterImage, size, sha256 } = attachment;
    const { uploadedByType, uploadedById, uploadedByName } = attachment;
    const [row] = await this.database.rows<AttachmentRow>(
      `INSERT INTO attachments AS a (id, issue_id, filename, content_type, is_raster_image, size, sha256,
                                     uploaded_by_type, uploaded_by_id, uploaded_by_name)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${COLUMNS}`,
      [
        id,
        issueId,
        filename,
        contentType,
        isRasterImage,
        size,
        sha256,
        uploadedByType,
        uploadedById,
        uploadedByName,
      ],
    );
    return row!;
  }

  /** Locks an attachment of the issue. Returns null when there is no such attachment. */
  lock(issueId: string, id: string): Promise<Pick<AttachmentRow, 'uploadedById' | 'size'> | null> {
    return this.database.row(
      `SELECT uploaded_by_id AS "uploadedById", size FROM attachments WHERE id = $1 AND issue_id = $2 FOR UPDATE`,
      [id, issueId],
    );
  }

  /** @returns false when it has been deleted */
  async delete(id: string): Promise<boolean> {
    return (await this.database.change('DELETE FROM attachments WHERE id = $1', [id])) === 1;
  }
}
