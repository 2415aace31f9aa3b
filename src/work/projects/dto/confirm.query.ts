import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { toBoolean } from '../../../platform/http/pages/page.query.js';

/** A deletion must be confirmed. */
export class ConfirmQuery {
  @ApiProperty({ type: 'boolean', required: false, default: false, description: 'Must be true.' })
  @Transform(toBoolean)
  @IsBoolean({ message: 'must be true or false' })
  confirm: boolean = false;
}
