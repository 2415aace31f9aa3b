/** Why a request to the outside was not made, or its answer not taken. */
export type OutboundFaultKind =
  'refused_address' | 'bad_redirect' | 'too_large' | 'timed_out' | 'unreachable';

/** The message is a sentence for a person; it names a host at most, never a credential or what was answered. */
export class OutboundFault extends Error {
  constructor(
    readonly kind: OutboundFaultKind,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundFault';
  }

  /** The fault behind an error of fetch or of a stream, which wrap what they were given. */
  static behind(error: unknown): OutboundFault | null {
    return causesOf(error).find((cause) => cause instanceof OutboundFault) ?? null;
  }
}

/** An error, what it was caused by, what caused that, and so on. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; typeof cause === 'object' && cause !== null && causes.length < LONGEST_CHAIN;) {
    causes.push(cause);
    cause = 'cause' in cause ? cause.cause : null;
  }
  return causes;
}

const LONGEST_CHAIN = 10;
