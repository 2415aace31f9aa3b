import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsString, Max, Min } from 'class-validator';
import { MOST_ROWS, toWholeNumber } from '../../platform/http/page.query.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';

export class AttentionQuery {
  /**
   * Id or key of a project: only what belongs to it.
   * @example DOCS
   */
  @MayBeAbsent()
  @IsString()
  projectId?: string;

  /** The maximum number of items. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MOST_ROWS, default: 100, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(MOST_ROWS)
  limit: number = 100;

  /** The cursor from the `Link` header of the previous response. */
  @MayBeAbsent()
  @IsString()
  cursor?: string;
}
