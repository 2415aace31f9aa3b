/** Why a request to the outside was not made, or its answer not taken. */
export type OutboundFaultKind = 'refused_address' | 'bad_redirect' | 'too_large' | 'timed_out' | 'unreachable';

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
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof OutboundFault) return cause;
    }
    return null;
  }
}
