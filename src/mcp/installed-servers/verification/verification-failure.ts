import { SealBroken } from '../../../platform/encryption/key-ring.errors.js';
import { Problem } from '../../../platform/http/problem/problem.js';
import { McpStartFailure, McpUnavailable } from '../../processes/connection/mcp-errors.js';

/** Why a verification failed, in a sentence for people with secrets masked. */
export interface VerificationFailure {
  reason: string;
  stderrTail: string;
  credentialsRefused: boolean;
}

/** Returns what is wrong with the server, or null if the error is a bug of the service. */
export function failureOf(error: unknown): VerificationFailure | null {
  if (error instanceof McpStartFailure)
    return {
      reason: error.message,
      stderrTail: error.stderrTail,
      credentialsRefused: error.credentialsRefused,
    };
  if (error instanceof McpUnavailable) return plain(error.reason);
  if (error instanceof SealBroken)
    return plain(
      'The stored credentials cannot be decrypted with the key ring of this service. Enter them again with envValues.',
    );
  return error instanceof Problem ? plain(error.detail) : null;
}

function plain(reason: string): VerificationFailure {
  return { reason, stderrTail: '', credentialsRefused: false };
}
