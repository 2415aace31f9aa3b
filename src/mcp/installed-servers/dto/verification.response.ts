import { ApiProperty } from '@nestjs/swagger';
import type { StoredVerification } from '../installed-server.entity.js';
import {
  credentialStates,
  verificationPhases,
  type CredentialState,
  type Verification,
  type VerificationPhase,
} from '../verification/verification.js';

/** What a server says that it is. */
export class ServerInfoResponse {
  /** @example mcp-servers/everything */
  name!: string;
  /** @example 2.0.0 */
  version!: string;
}

/** What a verification found. */
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
  @ApiProperty({ enum: verificationPhases, description: 'The phase in which it ended.' })
  phase!: VerificationPhase;
  @ApiProperty({ type: 'integer', description: 'Milliseconds.', example: 812 })
  latencyMs!: number;
  /** @example 2025-11-25 */
  protocolVersion!: string | null;
  serverInfo!: ServerInfoResponse | null;
  @ApiProperty({
    enum: credentialStates,
    description: "By the entry's credential probe, or a 401 or 403: a handshake proves nothing about a key.",
  })
  credentials!: CredentialState;
  @ApiProperty({
    required: false,
    description: 'The last lines of stderr, secrets masked; absent on success.',
  })
  stderrTail?: string;

  static from(verification: Verification): VerificationResponse {
    return Object.assign(new VerificationResponse(), fieldsOf(verification));
  }
}

/** A verification that was kept. */
export class LastVerificationResponse extends VerificationResponse {
  @ApiProperty({ type: 'string', format: 'date-time' })
  checkedAt!: string;

  static of(verification: StoredVerification): LastVerificationResponse {
    return Object.assign(new LastVerificationResponse(), fieldsOf(verification), {
      checkedAt: verification.checkedAt,
    });
  }
}

function fieldsOf(verification: Verification): Verification {
  const {
    status,
    details,
    capabilities,
    phase,
    latencyMs,
    protocolVersion,
    serverInfo,
    credentials,
    stderrTail,
  } = verification;
  return {
    status,
    details,
    capabilities,
    phase,
    latencyMs,
    protocolVersion,
    serverInfo,
    credentials,
    stderrTail,
  };
}
