import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { toWholeNumber } from '../../../platform/http/pages/page.query.js';

export class HeartbeatQuery {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 25,
    default: 0,
    required: false,
    description: 'Seconds to wait for something to start or to stop; at most a third of the lease.',
  })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(0)
  @Max(25)
  wait: number = 0;
}
