import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import { type AuthorType, authorTypes } from './comment.entity.js';
import type { CommentRow } from './comment.repository.js';

/** The text of a comment: 1 character to 64 KiB of UTF-8, kept byte for byte. */
export class WriteCommentRequest {
  /** @example "The new importer is merged; please check the totals of March." */
  @IsText({ min: 1, max: 65_536, unit: 'bytes' })
  content!: string;

  @ApiProperty({
    enum: authorTypes,
    enumName: 'AuthorType',
    required: false,
    description: 'The type of the caller; any other is rejected.',
  })
  @MayBeAbsent()
  @IsIn(authorTypes)
  authorType?: AuthorType;
}

/** The author of a comment, by the name at that time. The service itself has no id. */
export class CommentAuthorResponse {
  id!: string | null;
  /** @example "Ada Lovelace" */
  name!: string;
}

/** A comment on an issue. */
export class CommentResponse {
  /** @example "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a07" */
  id!: string;
  issueId!: string;
  /** @example "The new importer is merged; please check the totals of March." */
  content!: string;
  @ApiProperty({ enum: authorTypes, enumName: 'AuthorType' })
  authorType!: AuthorType;
  author!: CommentAuthorResponse;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: CommentRow): CommentResponse {
    return {
      ...pick(row, 'id', 'issueId', 'content', 'authorType'),
      author: { id: row.authorId, name: row.authorName },
      ...pick(row, 'createdAt', 'updatedAt'),
    };
  }
}
