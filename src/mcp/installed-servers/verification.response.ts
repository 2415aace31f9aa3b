import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../platform/http/pick.js';
import type { Actor } from '../../platform/journal/journal.service.js';
import type { DefinitionWarning } from '../server-records/definition-rules-and-warnings.js';
import {
  type CredentialState,
  credentialStates,
  type StepResult,
  type StoredVerification,
  type Verification,
  type VerificationPhase,
  verificationPhases,
  type VerificationRecord,
  type VerificationStep,
  verificationSteps,
} from '../server-records/server-records.entities.js';

/** The name and version that a server reports. */
export class ServerInfoResponse {
  /** @example mcp-servers/everything */
  name!: string;
  /** @example 2.0.0 */
  version!: string;
}

/** One step of a verification. */
export class VerificationStepResponse implements StepResult {
  @ApiProperty({ enum: verificationSteps, enumName: 'VerificationStep' })
  phase!: VerificationStep;
  @ApiProperty({
    enum: ['ok', 'failed', 'skipped'],
    description:
      'skipped: it was not reached, the server does not need it, or credentials could not be tried.',
  })
  status!: StepResult['status'];
  @ApiProperty({ type: 'integer', nullable: true, description: 'Milliseconds; null where it was skipped.' })
  ms!: number | null;
  /** @example "13 tools" */
  detail!: string | null;
}

/** Who started a verification. */
export class VerifierResponse {
  @ApiProperty({ enum: ['user', 'agent', 'system'] })
  type!: Actor['type'];
  id!: string | null;
  name!: string;
}

/** Something odd in what a server lists. */
export class DefinitionWarningResponse implements DefinitionWarning {
  /**
   * The name or URI of what is concerned, or the place of an entry without one.
   * @example echo
   */
  subject!: string;
  /** @example "The tool is withheld from agents, because description must be text." */
  message!: string;
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
  @ApiProperty({ type: [VerificationStepResponse], description: 'All steps in order.' })
  phases!: VerificationStepResponse[];
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
    type: [DefinitionWarningResponse],
    description:
      'What is odd in what the server lists: withheld and repaired definitions, skipped entries, schemas that model APIs refuse.',
  })
  warnings!: DefinitionWarningResponse[];
  @ApiProperty({
    required: false,
    description: 'The last lines of stderr, secrets masked; absent on success.',
  })
  stderrTail?: string;

  static from(verification: Verification): VerificationResponse {
    return {
      ...pick(verification, 'status', 'details', 'capabilities', 'phase', 'phases', 'latencyMs'),
      ...pick(verification, 'protocolVersion', 'serverInfo', 'credentials', 'stderrTail'),
      warnings: verification.warnings ?? [],
    };
  }
}

/** A verification that was stored. */
export class VerificationRecordResponse extends VerificationResponse {
  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
  @ApiProperty({ type: VerifierResponse, nullable: true })
  by!: VerifierResponse | null;

  static of(record: VerificationRecord): VerificationRecordResponse {
    return { ...VerificationResponse.from(record), ...pick(record, 'at', 'by') };
  }
}

/** The last verification of a server. */
export class LastVerificationResponse extends VerificationRecordResponse {
  @ApiProperty({ type: 'string', format: 'date-time' })
  checkedAt!: string;
  @ApiProperty({
    type: 'boolean',
    required: false,
    description: 'True if values of the server have changed since: verify it again. Absent otherwise.',
  })
  stale?: true;

  static ofServer(verification: StoredVerification): LastVerificationResponse {
    const { checkedAt, phases = [], at = checkedAt, by = null } = verification;
    const record = VerificationRecordResponse.of({ ...verification, phases, at, by });
    return { ...record, ...pick(verification, 'checkedAt', 'stale') };
  }
}
