import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { toWholeNumber } from '../../../platform/http/pages/page.query.js';

export class AgentWorkQuery {
  /** The most issues of each of the two lists. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 500, default: 100, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(500)
  limit: number = 100;
}
