import { ApiProperty } from '@nestjs/swagger';
import { IsObject, Matches, MaxLength } from 'class-validator';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import { missingVariables } from '../catalog/variable-values-and-placeholders.js';
import { demandsSignIn } from '../oauth/sign-in-needed-offered-and-revoked.service.js';
import type { CredentialSetRow } from '../server-records/credential-set.repository.js';
import {
  type CredentialSetState,
  credentialSetStates,
  type SetOfServer,
  stateOf,
} from './credential-sets.service.js';

/** The last sign-in of a person at the authorization server of the server; all null before the first one. */
export class SignInResponse {
  @ApiProperty({ type: String, nullable: true, example: 'https://auth.example.com' })
  authorizationServer!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The name of the user; null when the user was deleted.',
    example: 'Ada',
  })
  signedInBy!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  signedInAt!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What the authorization server granted.',
    example: 'tools',
  })
  scope!: string | null;
}

/** A credential set of a server, without any value. */
export class CredentialSetResponse {
  /** @example team-a */
  name!: string;
  @ApiProperty({
    enum: credentialSetStates,
    enumName: 'CredentialSetState',
    description:
      'sign_in_needed: a person has to sign in at the authorization server of the server. error: the server crashed too often with the set. revoked: its values were deleted. New values end error and revoked.',
  })
  state!: CredentialSetState;
  @ApiProperty({ type: [String], description: 'Names of the variables that have a value.' })
  configuredEnv!: string[];
  @ApiProperty({ type: [String], description: 'Names of the required variables that have no value.' })
  missingEnv!: string[];
  @ApiProperty({
    type: SignInResponse,
    nullable: true,
    description: 'The last sign-in with the set, also one that has ended; null where the server needs none.',
  })
  signIn!: SignInResponse | null;

  static from({ set, server: { entry } }: SetOfServer): CredentialSetResponse {
    const { name, configuredEnv, status } = set;
    const isNeeded = set.signIn !== null || status === 'sign_in_needed' || demandsSignIn(entry);
    return {
      name,
      state: stateOf(set, entry),
      configuredEnv,
      missingEnv: missingVariables(entry, configuredEnv),
      signIn: isNeeded ? signInOf(set) : null,
    };
  }
}

function signInOf({ signIn }: CredentialSetRow): SignInResponse {
  return {
    authorizationServer: signIn?.issuer ?? null,
    signedInBy: signIn?.by ?? null,
    signedInAt: signIn?.at ?? null,
    scope: signIn?.scope ?? null,
  };
}

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
