/** Why an outbound request was not sent, or its response not accepted. */
export type OutboundErrorKind =
  | 'refused_address'
  | 'bad_redirect'
  | 'too_large'
  | 'timed_out'
  | 'unreachable';

/** An outbound request failed. The message is a sentence for a person; it may name a host, never a credential or the response. */
export class OutboundError extends Error {
  constructor(
    readonly kind: OutboundErrorKind,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundError';
  }

  /** Returns the OutboundError behind an error of fetch or of a stream, which wrap it, or null. */
  static behind(error: unknown): OutboundError | null {
    return causesOf(error).find((cause) => cause instanceof OutboundError) ?? null;
  }
}

/** Yields an error, its cause, the cause of that, and so on. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; typeof cause === 'object' && cause !== null && causes.length < LONGEST_CHAIN;) {
    causes.push(cause);
    cause = 'cause' in cause ? cause.cause : null;
  }
  return causes;
}

const LONGEST_CHAIN = 10;
