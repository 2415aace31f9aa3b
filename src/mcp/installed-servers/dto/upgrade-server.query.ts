import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { toBoolean } from '../../../platform/http/pages/page.query.js';

export class UpgradeServerQuery {
  /** Reports everything that an upgrade would do and changes nothing. */
  @ApiProperty({ type: 'boolean', default: false, required: false })
  @Transform(toBoolean)
  @IsBoolean({ message: 'must be true or false' })
  dryRun: boolean = false;
}
