import type { EraVerdict } from '../../processes/server-description.js';
import type { ToolDefinition } from '../tools/tool-definition.js';

/** The steps of a verification in their order; one that fails ends in one of the first five (spec §3.3). */
export const verificationPhases = ['runtime', 'package', 'spawn', 'handshake', 'list', 'done'] as const;
export type VerificationPhase = (typeof verificationPhases)[number];

/** A handshake proves nothing about a key: only the entry's credential probe, or a 401 or 403, does. */
export const credentialStates = ['accepted', 'refused', 'unchecked'] as const;
export type CredentialState = (typeof credentialStates)[number];

/** What POST …/verify answers. Texts of the server in it are masked and can be stored. */
export interface Verification {
  status: 'ok' | 'error';
  /** For people: the response time on success, the reason on failure. */
  details: string;
  /** Names of the tools; absent on failure. */
  capabilities?: string[];
  /** The phase in which it ended. */
  phase: VerificationPhase;
  latencyMs: number;
  protocolVersion: string | null;
  serverInfo: { name: string; version: string } | null;
  credentials: CredentialState;
  /** The last lines of stderr, masked; absent on success. */
  stderrTail?: string;
}

/** A verification with what is kept of a good one beside its answer. */
export interface VerificationOutcome {
  verification: Verification;
  /** null where it failed. */
  found: { tools: ToolDefinition[]; verdict: EraVerdict } | null;
}
