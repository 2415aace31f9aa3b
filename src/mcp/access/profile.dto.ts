import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsString, ValidateNested } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { IsName, IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent, MayBeNull } from '../../platform/http/validation.pipe.js';
import { DEFAULT_SET } from '../server-records/server-records.entities.js';
import type { ProfileEntry } from './access-entry-rules.js';
import type { ProfileRow } from './profiles.service.js';
import type { AskedTools } from './access.entities.js';
import { IsAskedTools } from './access.request.js';
import { askedTools, toolNames } from './access.response.js';

export class ProfileEntryRequest {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  @IsString()
  serverId!: string;

  @ApiProperty({
    type: [String],
    nullable: true,
    required: false,
    description: 'Names of the tools that the entry is narrowed to; null gives all approved tools.',
    example: null,
  })
  @MayBeNull()
  @IsArray()
  @ArrayMaxSize(2000)
  @IsText({ min: 1, max: 1024, unit: 'codePoints' }, { each: true })
  tools?: string[] | null;

  @ApiProperty({ ...askedTools, required: false, example: 'writes' })
  @MayBeNull()
  @IsAskedTools()
  ask?: AskedTools;

  /**
   * The name of a credential set of the server. Default: `default`.
   * @example team-a
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 40, unit: 'codePoints' })
  credentialSet?: string;
}

/** Returns the entry that a request means. */
export function entryOf({ serverId, tools, ask, credentialSet }: ProfileEntryRequest): ProfileEntry {
  return { serverId, tools: tools ?? null, ask: ask ?? null, credentialSet: credentialSet ?? DEFAULT_SET };
}

const MOST_ENTRIES = 500;
const MOST_AGENTS = 5000;

export class CreateProfileRequest {
  /** @example Writers */
  @IsName()
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

/** The access to one server that a profile gives. */
export class ProfileEntryResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  serverId!: string;
  @ApiProperty(toolNames)
  tools!: string[] | null;
  @ApiProperty(askedTools)
  ask!: AskedTools;
  /** @example default */
  credentialSet!: string;
}

/** Access to several servers that several agents have together. */
export class ProfileResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31 */
  id!: string;
  /** @example Writers */
  name!: string;
  /** Grows with each PUT. It is the ETag. */
  @ApiProperty({ type: 'integer' })
  version!: number;
  /** Oldest server first. */
  @ApiProperty({ type: [ProfileEntryResponse] })
  entries!: ProfileEntryResponse[];
  agentIds!: string[];
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: ProfileRow): ProfileResponse {
    return pick(row, 'id', 'name', 'version', 'entries', 'agentIds', 'createdAt', 'updatedAt');
  }
}
