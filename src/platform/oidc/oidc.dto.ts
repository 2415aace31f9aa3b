import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsString } from 'class-validator';
import { IsText } from '../http/text-and-instant-rules.js';
import { MayBeAbsent, toBoolean } from '../http/validation.pipe.js';
import type { Identity } from './oidc.entities.js';

export class SetIdentityRequest {
  /** The `sub` of the person at the configured issuer. @example 248289761001 */
  @IsText({ min: 1, max: 255, unit: 'codePoints' })
  subject!: string;
}

/** The person at the OpenID provider who signs in as a user. */
export class IdentityResponse {
  /** @example https://login.example.com */
  issuer!: string;
  /** @example 248289761001 */
  subject!: string;

  static from({ issuer, subject }: Identity): IdentityResponse {
    return { issuer, subject };
  }
}

/** Whether a user is joined with a person at the OpenID provider. */
export class CurrentIdentityResponse {
  /** @example https://login.example.com */
  issuer!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `sub` of the person; null where the user is joined with none.',
    example: '248289761001',
  })
  subject!: string | null;
}

export class OidcLoginQuery {
  /** The path of this service that the sign-in leads to. Anything else counts as `/`. @example /p/DOCS/board */
  @MayBeAbsent()
  @IsString()
  returnTo?: string;

  @ApiProperty({
    type: 'boolean',
    default: false,
    required: false,
    description:
      'true: the person enters credentials again and confirms the session of this browser, for elevated mode.',
  })
  @Transform(toBoolean)
  @IsBoolean()
  confirm: boolean = false;
}
