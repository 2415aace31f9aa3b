import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../../platform/http/pick.js';
import type { StoredVerification } from '../installed-server-row.js';
import {
  credentialStates,
  verificationPhases,
  type CredentialState,
  type Verification,
  type VerificationPhase,
} from '../verification/verification.js';

/** The name and version that a server reports. */
export class ServerInfoResponse {
  /** @example mcp-servers/everything */
  name!: string;
  /** @example 2.0.0 */
  version!: string;
}

/** The result of a verification. */
export class VerificationResponse {
  @ApiProperty({ enum: ['ok', 'error'] })
  status!: Verification['status'];
  /**
   * The response time on success, the reason on failure.
   * @example "The server answered the handshake and listed 13 tools in 812 ms."
   */
  details!: string;
  @ApiProperty({
    type: [String],
    required: false,
    description: 'Names of the tools; absent on failure.',
    example: ['echo'],
  })
  capabilities?: string[];
  @ApiProperty({ enum: verificationPhases, description: 'The phase in which the verification ended.' })
  phase!: VerificationPhase;
  @ApiProperty({ type: 'integer', description: 'Milliseconds.', example: 812 })
  latencyMs!: number;
  /** @example 2025-11-25 */
  protocolVersion!: string | null;
  serverInfo!: ServerInfoResponse | null;
  @ApiProperty({
    enum: credentialStates,
    description:
      "Decided by the entry's credential probe, or by a 401 or 403: a handshake proves nothing about a key.",
  })
  credentials!: CredentialState;
  @ApiProperty({
    required: false,
    description: 'The last lines of stderr, secrets masked; absent on success.',
  })
  stderrTail?: string;

  static from(verification: Verification): VerificationResponse {
    return {
      ...pick(verification, 'status', 'details', 'capabilities', 'phase', 'latencyMs'),
      ...pick(verification, 'protocolVersion', 'serverInfo', 'credentials', 'stderrTail'),
    };
  }
}

/** The last verification of a server, with its time. */
export class LastVerificationResponse extends VerificationResponse {
  @ApiProperty({ type: 'string', format: 'date-time' })
  checkedAt!: string;
  @ApiProperty({
    type: 'boolean',
    required: false,
    description: 'True if values of the server have changed since: verify it again. Absent otherwise.',
  })
  stale?: true;

  static of(verification: StoredVerification): LastVerificationResponse {
    return { ...VerificationResponse.from(verification), ...pick(verification, 'checkedAt', 'stale') };
  }
}
