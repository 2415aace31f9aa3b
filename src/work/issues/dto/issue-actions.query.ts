import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { toBoolean } from '../../../platform/http/page.query.js';

export class CloseIssueQuery {
  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    description: 'Also where issues that it blocks are not finished.',
  })
  @Transform(toBoolean)
  @IsBoolean({ message: 'must be true or false' })
  force: boolean = false;
}
