import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { type Seen, visibilityOf } from '../projects/visibility.js';
import { Attachment } from './attachment.entity.js';

/** An attachment with the caller's rank in its project, which it belongs to by its issue. */
export type SeenAttachment = Attachment & Seen & { projectId: string };

const COLUMNS = `
  a.id, a.issue_id AS "issueId", a.filename, a.content_type AS "contentType", a.is_raster_image AS "isRasterImage",
  a.size::float8 AS size, a.sha256, a.uploaded_by_type AS "uploadedByType", a.uploaded_by_id AS "uploadedById",
  a.uploaded_by_name AS "uploadedByName", a.created_at AS "createdAt"`;

/** Beside what TypeORM gives, the statements about attachments that stay SQL (decision 0053). */
@Injectable()
export class AttachmentRepository extends Repository<Attachment> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(Attachment, source.manager);
  }

  /** SQL: visibility in the same read. Returns null for an id that is malformed, unknown, or not seen by the caller. */
  async findSeen(caller: Principal, id: string): Promise<SeenAttachment | null> {
    if (!isUuid(id)) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    const [seen] = await this.query<SeenAttachment[]>(
      `SELECT ${COLUMNS}, i.project_id AS "projectId", ${visibility.rank} AS "callerRank"
       FROM attachments a JOIN issues i ON i.id = a.issue_id JOIN projects p ON p.id = i.project_id ${visibility.membership}
       WHERE a.id = $1 AND ${visibility.seen}`,
      [id, ...visibility.parameters],
    );
    return seen ?? null;
  }

  /** SQL: a keyset page, oldest first. */
  list(issueId: string, page: PageRequest): Promise<Page<Attachment>> {
    const list = { columns: COLUMNS, from: 'attachments a', where: 'a.issue_id = $1', parameters: [issueId] };
    return this.pages.readOldestFirst<Attachment>(list, page, 'a');
  }
}
