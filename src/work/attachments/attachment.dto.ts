import { ApiProperty } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import { ActorResponse } from '../issue-reading/issue.response.js';
import type { Attachment } from './attachment.entity.js';

/** How a file is uploaded (contract §5.4). */
export class UploadQuery {
  /** The attachment of the same issue that the file replaces, such as an earlier state of a log. */
  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of an attachment' })
  replaces?: string;
}

/** A file on an issue, without its bytes. */
export class AttachmentResponse {
  /** @example "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08" */
  id!: string;
  issueId!: string;
  /** @example "totals of March.csv" */
  filename!: string;
  /**
   * The content type that the uploader named.
   * @example "text/csv"
   */
  contentType!: string;
  @ApiProperty({ type: 'integer', description: 'In bytes.', example: 18_211 })
  size!: number;
  /**
   * The SHA-256 of the bytes, in hex.
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
   */
  sha256!: string;
  /** @example "/api/projects/attachments/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08/download" */
  downloadUrl!: string;
  uploadedBy!: ActorResponse;
  createdAt!: Date;

  static from(row: Attachment): AttachmentResponse {
    return {
      ...pick(row, 'id', 'issueId', 'filename', 'contentType', 'size', 'sha256'),
      downloadUrl: `/api/projects/attachments/${row.id}/download`,
      uploadedBy: { type: row.uploadedByType, id: row.uploadedById, name: row.uploadedByName },
      createdAt: row.createdAt,
    };
  }
}
