import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsString, ValidateNested } from 'class-validator';
import { MayBeAbsent } from '../../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../../platform/http/body/text-rules.js';
import { ProfileEntryRequest } from './profile-entry.request.js';

const MOST_ENTRIES = 500;
const MOST_AGENTS = 5000;

export class CreateProfileRequest {
  /** @example Writers */
  @IsText({ min: 1, max: 200, unit: 'codePoints', trim: true })
  name!: string;

  /** The servers that its agents get; each may be named once. */
  @ApiProperty({ type: [ProfileEntryRequest], required: false })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(MOST_ENTRIES)
  @ValidateNested({ each: true })
  @Type(() => ProfileEntryRequest)
  entries?: ProfileEntryRequest[];

  /**
   * The agents that have the profile.
   * @example ["0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03"]
   */
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(MOST_AGENTS)
  @IsString({ each: true })
  agentIds?: string[];
}

export class ChangeProfileRequest extends PartialType(CreateProfileRequest, { skipNullProperties: false }) {}
