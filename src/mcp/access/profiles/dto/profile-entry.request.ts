import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString } from 'class-validator';
import { MayBeAbsent, MayBeNull } from '../../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../../platform/http/body/text-rules.js';
import { DEFAULT_SET } from '../../../installed-servers/credential-sets/credential-set-row.js';
import type { AskedTools } from '../../access.repository.js';
import { askedTools } from '../../dto/access.response.js';
import { IsAskedTools } from '../../dto/asked-tools.decorator.js';
import type { ProfileEntry } from '../profiles.repository.js';

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
