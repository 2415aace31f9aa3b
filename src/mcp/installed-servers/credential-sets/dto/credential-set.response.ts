import { ApiProperty } from '@nestjs/swagger';
import { missingVariables } from '../../../catalog/variable-value.js';
import { credentialSetStates, stateOf, type CredentialSetState } from '../credential-set-row.js';
import type { SetOfServer } from '../credential-sets.service.js';

/** A credential set of a server, without any value. */
export class CredentialSetResponse {
  /** @example team-a */
  name!: string;
  @ApiProperty({
    enum: credentialSetStates,
    enumName: 'CredentialSetState',
    description:
      'error: the server crashed too often with the set. revoked: its values were deleted. New values end both.',
  })
  state!: CredentialSetState;
  @ApiProperty({ type: [String], description: 'Names of the variables that have a value.' })
  configuredEnv!: string[];
  @ApiProperty({ type: [String], description: 'Names of the required variables that have no value.' })
  missingEnv!: string[];

  static from({ set, server: { entry } }: SetOfServer): CredentialSetResponse {
    const { name, configuredEnv } = set;
    return {
      name,
      state: stateOf(set, entry),
      configuredEnv,
      missingEnv: missingVariables(entry, configuredEnv),
    };
  }
}
