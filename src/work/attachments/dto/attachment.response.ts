import { ApiProperty } from '@nestjs/swagger';
import { ActorResponse } from '../../issues/dto/issue.response.js';
import type { AttachmentEntity } from '../attachment.entity.js';

/** A file on an issue: what is known of it, without its bytes. */
export class AttachmentResponse {
  /** @example "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08" */
  id!: string;
  issueId!: string;
  /** @example "totals of March.csv" */
  filename!: string;
  /**
   * What the uploader said that it is.
   * @example "text/csv"
   */
  contentType!: string;
  @ApiProperty({ type: 'integer', description: 'In bytes.', example: 18_211 })
  size!: number;
  /**
   * Of the bytes, in hex.
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
   */
  sha256!: string;
  /** @example "/api/projects/attachments/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08/download" */
  downloadUrl!: string;
  uploadedBy!: ActorResponse;
  createdAt!: Date;

  static from(row: AttachmentEntity): AttachmentResponse {
    const { id, issueId, filename, contentType, sha256, createdAt } = row;
    return Object.assign(new AttachmentResponse(), {
      ...{ id, issueId, filename, contentType },
      size: Number(row.size),
      sha256,
      downloadUrl: `/api/projects/attachments/${id}/download`,
      uploadedBy: { type: row.uploadedByType, id: row.uploadedById, name: row.uploadedByName },
      createdAt,
    });
  }
}
