import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../platform/http/body/text-rules.js';
import { authorTypes, type AuthorType } from '../comment-row.js';

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
