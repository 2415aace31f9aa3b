import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/presence.decorators.js';
import { IsText } from '../../../platform/http/text-rules.js';

export class UpdateServerRequest {
  /** Merged by name: given values are replaced, null removes an optional one, the others stay. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', nullable: true }, example: {} })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object of values by name' })
  envValues?: Record<string, unknown>;

  @ApiProperty({ required: false, example: 'Everything for tests' })
  @MayBeAbsent()
  @IsText({ min: 1, max: 200, unit: 'codePoints', trim: true })
  name?: string;
}
