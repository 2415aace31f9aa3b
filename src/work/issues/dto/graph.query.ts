import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { toBoolean, toWholeNumber } from '../../../platform/http/pages/page.query.js';

export class GraphQuery {
  /**
   * Id or key of the issue in the middle. Without it the issues come first that most others wait for.
   * @example DOCS-12
   */
  @MayBeAbsent()
  @IsString()
  focus?: string;

  /** How many links from the focus. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 6, default: 2, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(6)
  depth: number = 2;

  /** The most issues. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 500, default: 200, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(500)
  limit: number = 200;

  /** true shows finished issues too. */
  @ApiProperty({ type: 'boolean', default: false, required: false })
  @Transform(toBoolean)
  @IsBoolean()
  done: boolean = false;
}
