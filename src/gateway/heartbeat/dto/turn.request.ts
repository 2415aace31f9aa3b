import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsString, Min } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/presence.decorators.js';

export class TurnRequest {
  /**
   * Id or key of the issue that the worker is about to go on with.
   * @example DOCS-12
   */
  @MayBeAbsent()
  @IsString()
  issueId?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'The token of its lease, which the turn renews.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  token?: number;
}
