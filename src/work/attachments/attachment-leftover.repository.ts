import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { AttachmentLeftover } from './attachment.entity.js';

/** Beside what TypeORM gives, the statements about leftovers that stay SQL (decision 0053). */
@Injectable()
export class AttachmentLeftoverRepository extends Repository<AttachmentLeftover> {
  constructor(@InjectDataSource() source: DataSource) {
    super(AttachmentLeftover, source.manager);
  }

  /**
   * SQL: an insert from a read. Marks bytes for removal, unless they belong to an attachment after all. This also holds for
   * bytes that a sweep has removed before: an object store accepts an upload that finishes after that.
   */
  async giveUp(id: string): Promise<void> {
    await this.query(
      `INSERT INTO attachment_leftovers (id, is_upload, remove_at)
       SELECT $1::uuid, false, now() WHERE NOT EXISTS (SELECT FROM attachments WHERE id = $1::uuid)
       ON CONFLICT (id) DO UPDATE SET is_upload = false, remove_at = now()`,
      [id],
    );
  }

  /**
   * SQL: SKIP LOCKED. Claims some files that are due. From then on no upload can become an attachment with them. When the
   * process that claimed them dies, another one claims them after `seconds`.
   */
  async claimDue(limit: number, seconds: number): Promise<string[]> {
    const [rows] = await this.query<[{ id: string }[], number]>(
      `UPDATE attachment_leftovers SET is_upload = false, remove_at = now() + make_interval(secs => $2)
       WHERE id IN (SELECT id FROM attachment_leftovers WHERE remove_at <= now() ORDER BY remove_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [limit, seconds],
    );
    return rows.map((row) => row.id);
  }
}
