import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';

/**
 * The files in the store that have no row in `attachments`: those of running uploads, and orphaned ones to be removed.
 * A trigger inserts the rows of deleted attachments, however they were deleted.
 */
@Injectable()
export class LeftoversRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Registers an upload, before its first byte is written. */
  async insertUpload(id: string, seconds: number): Promise<void> {
    await this.database.change(
      'INSERT INTO attachment_leftovers (id, is_upload, remove_at) VALUES ($1, true, now() + make_interval(secs => $2))',
      [id, seconds],
    );
  }

  async renewUploads(ids: string[], seconds: number): Promise<void> {
    await this.database.change(
      'UPDATE attachment_leftovers SET remove_at = now() + make_interval(secs => $2) WHERE id = ANY($1::uuid[]) AND is_upload',
      [ids, seconds],
    );
  }

  /** Ends an upload that becomes an attachment. @returns false when its bytes have been given up */
  async takeUpload(id: string): Promise<boolean> {
    return (
      (await this.database.change('DELETE FROM attachment_leftovers WHERE id = $1 AND is_upload', [id])) === 1
    );
  }

  /**
   * Marks bytes for removal, unless they belong to an attachment after all. This also holds for bytes that a sweep has
   * removed before: an object store accepts an upload that finishes after that.
   */
  async giveUp(id: string): Promise<void> {
    await this.database.change(
      `INSERT INTO attachment_leftovers (id, is_upload, remove_at)
       SELECT $1::uuid, false, now() WHERE NOT EXISTS (SELECT FROM attachments WHERE id = $1::uuid)
       ON CONFLICT (id) DO UPDATE SET is_upload = false, remove_at = now()`,
      [id],
    );
  }

  /**
   * Claims some files that are due. From then on no upload can become an attachment with them. When the process that
   * claimed them dies, another one claims them after `seconds`.
   */
  async claimDue(limit: number, seconds: number): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(
      `UPDATE attachment_leftovers SET is_upload = false, remove_at = now() + make_interval(secs => $2)
       WHERE id IN (SELECT id FROM attachment_leftovers WHERE remove_at <= now() ORDER BY remove_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [limit, seconds],
    );
    return rows.map((row) => row.id);
  }

  /** Deletes the rows of files whose bytes have been removed. */
  async forget(ids: string[]): Promise<void> {
    await this.database.change(
      'DELETE FROM attachment_leftovers WHERE id = ANY($1::uuid[]) AND NOT is_upload',
      [ids],
    );
  }
}
