import { ApiProperty } from '@nestjs/swagger';
import { IsObject, Matches, MaxLength } from 'class-validator';
import { MayBeAbsent } from '../../../../platform/http/body/presence.decorators.js';

/** As a slug, because it is a part of a path. */
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const LONGEST_NAME = 40;

export class CreateCredentialSetRequest {
  /**
   * Lower-case letters, digits and single hyphens. It never changes.
   * @example team-a
   */
  @Matches(NAME, { message: 'must consist of lower-case letters, digits and single hyphens' })
  @MaxLength(LONGEST_NAME)
  name!: string;

  /** Values of the entry's variables by name. They are encrypted before they are stored and never returned. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', nullable: true }, example: {} })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object of values by name' })
  envValues?: Record<string, unknown>;
}

export class ChangeCredentialSetRequest {
  /** Values by name, merged: a given value replaces the stored one, null removes an optional one, others stay. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', nullable: true }, example: {} })
  @IsObject({ message: 'must be an object of values by name' })
  envValues!: Record<string, unknown>;
}
