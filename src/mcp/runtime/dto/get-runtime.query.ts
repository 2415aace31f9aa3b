import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { toBoolean } from '../../../platform/http/pages/page.query.js';

export class GetRuntimeQuery {
  /** Probes the host again instead of returning a report of the last 30 seconds. */
  @ApiProperty({ type: 'boolean', default: false, required: false })
  @Transform(toBoolean)
  @IsBoolean({ message: 'refresh must be true or false' })
  refresh: boolean = false;
}
