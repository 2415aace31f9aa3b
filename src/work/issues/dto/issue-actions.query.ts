import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { toBoolean } from '../../../platform/http/pages/page.query.js';

export class CloseIssueQuery {
  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    description: 'Closes the issue even while it blocks unresolved issues.',
  })
  @Transform(toBoolean)
  @IsBoolean({ message: 'must be true or false' })
  force: boolean = false;
}
