import { ApiProperty } from '@nestjs/swagger';
import type { Identity } from '../oidc-identities.repository.js';

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
