/** What belongs to one request of an agent beside its parameters. */
export interface Exchange {
  /** Aborted when the agent cancels, or its session ends. */
  signal: AbortSignal;
  /** Passes progress on; absent where the agent did not ask for it. */
  onProgress?: (progress: Record<string, unknown>) => void;
}
