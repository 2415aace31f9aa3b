import { ApiProperty } from '@nestjs/swagger';
import { IsObject, IsString } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/presence.decorators.js';
import { IsText } from '../../../platform/http/text-rules.js';

export class InstallServerRequest {
  /**
   * An entry of the catalogue.
   * @example everything
   */
  @IsString()
  catalogId!: string;

  /** Values of the entry's variables by name. Sealed before they are stored, and never shown again. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', nullable: true }, example: {} })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object of values by name' })
  envValues?: Record<string, unknown>;

  /** Default: the entry's name, then `NAME 2`. */
  @ApiProperty({ required: false, example: 'Everything for tests' })
  @MayBeAbsent()
  @IsText({ min: 1, max: 200, unit: 'codePoints', trim: true })
  name?: string;
}
