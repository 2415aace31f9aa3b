import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';

/**
 * Bytes in the store that have no row in `attachments`: those of running uploads, and those to be removed.
 * The rows of deleted attachments come by a trigger, however they were deleted.
 */
@Injectable()
export class LeftoversRepository {
  constructor(private readonly database: Database) {}

  /** Before the first byte of an upload is written. */
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

  /** The upload becomes an attachment. @returns false where its bytes have been given up */
  async takeUpload(id: string): Promise<boolean> {
    return (
      (await this.database.change('DELETE FROM attachment_leftovers WHERE id = $1 AND is_upload', [id])) === 1
    );
  }

  /**
   * The bytes are to be removed, unless they are an attachment's after all. Also where a sweep has removed them
   * before: an object store takes in what is finished after that.
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
   * Takes some of the bytes whose time has come. From then on no upload can become an attachment with them.
   * Whoever takes them and dies leaves them to the next one, after a while.
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

  /** Their bytes are gone. */
  async forget(ids: string[]): Promise<void> {
    await this.database.change(
      'DELETE FROM attachment_leftovers WHERE id = ANY($1::uuid[]) AND NOT is_upload',
      [ids],
    );
  }
}
