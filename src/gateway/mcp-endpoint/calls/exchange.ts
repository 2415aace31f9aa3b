import type { CallVerdict } from '../../../mcp/access/call-verdict.js';

/** What belongs to one request of an agent beside its parameters. */
export interface Exchange {
  /** Aborted when the agent cancels, or its session ends. */
  signal: AbortSignal;
  /** Passes progress on; absent where the agent did not ask for it. */
  onProgress?: (progress: Record<string, unknown>) => void;
  /** Of a tool call, where it was read together with the key that the request came with. */
  right?: KnownRight;
}

/** What the database says of a tool call at its beginning. */
export interface KnownRight {
  verdict: CallVerdict;
  /** That its agent works on, where its leases tell exactly one. */
  issueId: string | null;
}
