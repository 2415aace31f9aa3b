import { SealBroken } from '../../../platform/encryption/key-ring.errors.js';
import { Problem } from '../../../platform/http/problem.js';
import { McpStartFailure, McpUnavailable } from '../../processes/mcp-errors.js';
import { ToolsUnusable } from '../tools/tool-definition.js';

/** Why a verification failed, for people; secrets masked. */
export interface VerificationFailure {
  reason: string;
  stderrTail: string;
  credentialsRefused: boolean;
}

/** What went wrong, or null for a fault that is ours and no finding about the server. */
export function failureOf(error: unknown): VerificationFailure | null {
  if (error instanceof McpStartFailure)
    return {
      reason: error.message,
      stderrTail: error.stderrTail,
      credentialsRefused: error.credentialsRefused,
    };
  if (error instanceof McpUnavailable) return plain(error.reason);
  if (error instanceof ToolsUnusable) return plain(error.message);
  if (error instanceof SealBroken)
    return plain(
      'The stored credentials do not open with the key ring of this service. Enter them again with envValues.',
    );
  return error instanceof Problem ? plain(error.detail) : null;
}

function plain(reason: string): VerificationFailure {
  return { reason, stderrTail: '', credentialsRefused: false };
}
