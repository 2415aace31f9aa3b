import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, IsString, ValidateNested } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../platform/http/body/text-rules.js';
import { ServerLimitsRequest } from './server-limits.request.js';

export class InstallServerRequest {
  /**
   * The id of an entry of the catalogue.
   * @example everything
   */
  @IsString()
  catalogId!: string;

  /** Values of the entry's variables by name. They are encrypted before they are stored and never returned. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', nullable: true }, example: {} })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object of values by name' })
  envValues?: Record<string, unknown>;

  /** Default: the entry's name, or `NAME 2` and so on where that is taken. */
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
