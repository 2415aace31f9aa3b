import { McpUnavailable } from './mcp-errors.js';

/** A promise that rejects when a caller gives up, for racing with work that does not listen to the caller's signal. */
export interface Cancellation {
  cancelled: Promise<never>;
  /** Lets go of the signal. */
  off: () => void;
}

export function cancellationBy(signal: AbortSignal | undefined): Cancellation {
  let onAbort: () => void = () => undefined;
  const cancelled = new Promise<never>((_, reject) => {
    onAbort = () => reject(new McpUnavailable('cancelled', 'The call was cancelled.'));
  });
  // Callers race with `cancelled`. Without this an abort after the race would be an unhandled rejection.
  cancelled.catch(() => undefined);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  return { cancelled, off: () => signal?.removeEventListener('abort', onAbort) };
}
