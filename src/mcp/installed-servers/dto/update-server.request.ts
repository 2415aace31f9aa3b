import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../platform/http/body/text-rules.js';
import { ServerLimitsRequest } from './server-limits.request.js';

export class UpdateServerRequest {
  /** Values by name, merged: a given value replaces the stored one, null removes an optional one, others stay. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', nullable: true }, example: {} })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object of values by name' })
  envValues?: Record<string, unknown>;

  @ApiProperty({ required: false, example: 'Everything for tests' })
  @MayBeAbsent()
  @IsText({ min: 1, max: 200, unit: 'codePoints', trim: true })
  name?: string;

  @ApiProperty({ type: ServerLimitsRequest, required: false })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object of limits' })
  @ValidateNested()
  @Type(() => ServerLimitsRequest)
  limits?: ServerLimitsRequest;
}
