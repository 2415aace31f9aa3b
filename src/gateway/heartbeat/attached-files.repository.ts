import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';

/** A file on an issue, as far as a worker needs it. */
export interface AttachedFile {
  id: string;
  issueId: string;
  filename: string;
  contentType: string;
  size: number;
}

/** The most files returned per issue: the newest. */
const FILES_PER_ISSUE = 200;

/** The attachments of issues, as far as workers need them. */
@Injectable()
export class AttachedFilesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the files on these issues, oldest first. */
  list(issueIds: string[]): Promise<AttachedFile[]> {
    return this.database.rows<AttachedFile>(
      `SELECT file.id, file."issueId", file.filename, file."contentType", file.size
       FROM unnest($1::uuid[]) AS asked(id) CROSS JOIN LATERAL (
         SELECT id, issue_id AS "issueId", filename, content_type AS "contentType", size::float8 AS size, created_at
         FROM attachments WHERE issue_id = asked.id
         ORDER BY created_at DESC, id DESC LIMIT ${FILES_PER_ISSUE}) AS file
       ORDER BY file.created_at, file.id`,
      [issueIds],
    );
  }

  /** Returns those of these ids that are attachments of the issue. */
  async idsAmong(issueId: string, ids: string[]): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(
      'SELECT id FROM attachments WHERE issue_id = $1 AND id = ANY($2::uuid[])',
      [issueId, ids],
    );
    return rows.map(({ id }) => id);
  }
}
