import type { Actor } from '../../platform/journal/journal.service.js';
import type { EraVerdict } from '../processes/server-description.js';
import type { DefinitionWarning } from './definition-rules.js';
import type { ListedTool } from './tool-definition.js';

/** The phases of a verification in order; one that fails ends in one of the first five (contract §3.3). */
export const verificationPhases = ['runtime', 'package', 'spawn', 'handshake', 'list', 'done'] as const;
export type VerificationPhase = (typeof verificationPhases)[number];

/** The steps that every verification shows, in order; `credentials` is the credential probe. */
export const verificationSteps = ['runtime', 'package', 'spawn', 'handshake', 'list', 'credentials'] as const;
export type VerificationStep = (typeof verificationSteps)[number];

/** One step of a verification. A step that was not reached, or that the server does not need, is skipped. */
export interface StepResult {
  phase: VerificationStep;
  status: 'ok' | 'failed' | 'skipped';
  /** Null where the step was skipped. */
  ms: number | null;
  /** What was found, or why it failed. */
  detail: string | null;
}

/** A handshake proves nothing about a key: only the entry's credential probe, or a 401 or 403, does. */
export const credentialStates = ['accepted', 'refused', 'unchecked'] as const;
export type CredentialState = (typeof credentialStates)[number];

/** The result that POST …/verify returns. The server's texts in it are masked and can be stored. */
export interface Verification {
  status: 'ok' | 'error';
  /** For people: the response time on success, the reason on failure. */
  details: string;
  /** Names of the tools; absent on failure. */
  capabilities?: string[];
  /** The phase in which it ended. */
  phase: VerificationPhase;
  /** Empty in a verification of an earlier version of the service. */
  phases: StepResult[];
  latencyMs: number;
  protocolVersion: string | null;
  serverInfo: { name: string; version: string } | null;
  credentials: CredentialState;
  /** What is odd in what the server lists; absent in a verification of an earlier version of the service. */
  warnings?: DefinitionWarning[];
  /** The last lines of stderr, masked; absent on success. */
  stderrTail?: string;
}

/** A verification that was stored: when it ended, by the database's clock, and who started it. */
export interface VerificationRecord extends Verification {
  at: string;
  /** Null in a verification of an earlier version of the service. */
  by: Actor | null;
}

/**
 * The last verification with its time, ISO 8601 by the database's clock. `stale` is set when values of the server change
 * afterwards. One of an earlier version of the service has no steps, and does not say who started it.
 */
export type StoredVerification = Omit<VerificationRecord, 'phases' | 'at' | 'by'> &
  Partial<VerificationRecord> & { checkedAt: string; stale?: true };

/** The result of a verification with what is stored if it succeeds. */
export interface VerificationOutcome {
  verification: Verification;
  /** Null if the verification failed. */
  found: { tools: ListedTool[]; verdict: EraVerdict } | null;
}
