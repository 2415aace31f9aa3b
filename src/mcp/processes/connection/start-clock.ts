/** The time that a start may take, joined with the signal of a caller who gives up before. */
export interface StartClock {
  signal: AbortSignal;
  /** `work`, or a rejection when the time is over: not every step of a handshake listens to a signal. */
  race<T>(work: Promise<T>): Promise<T>;
  stop(): void;
}

export function startClock(ms: number, outer?: AbortSignal): StartClock {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Error('The time for the start is over.'));
  const timer = setTimeout(abort, Math.max(1, ms));
  outer?.addEventListener('abort', abort, { once: true });
  if (outer?.aborted) abort();
  return {
    signal: controller.signal,
    race: (work) => Promise.race([work, rejectionOf(controller.signal)]),
    stop: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
