import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { toBoolean } from '../../../platform/http/page.query.js';

export class GetRuntimeQuery {
  /** Looks again in place of an answer of the last 30 seconds. */
  @ApiProperty({ type: 'boolean', default: false, required: false })
  @Transform(toBoolean)
  @IsBoolean({ message: 'refresh must be true or false' })
  refresh: boolean = false;
}
