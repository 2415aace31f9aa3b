/** Why a run ends before its agent is done. The service's reasons, and the end of the runner itself. */
export type StopReason = string;

/** After these the turn may end, and the session is parked until the issue comes back. */
const AT_THE_TURN = new Set(['paused', 'waiting', 'budget', 'in_review', 'resolved']);

/** The order to stop a run. Some reasons let the present turn end; the others cancel it. */
export class Stop {
  reason: StopReason | null = null;
  private readonly controller = new AbortController();
  private readonly abandoning = new AbortController();

  /** Aborts when the turn must not go on. */
  get now(): AbortSignal {
    return this.controller.signal;
  }

  /** Aborts when not even the end of the lease is to be reported: the operator does not wait for the network. */
  get abandoned(): AbortSignal {
    return this.abandoning.signal;
  }

  abandon(): void {
    this.abandoning.abort(new Error('abandoned'));
  }

  request(reason: StopReason): void {
    if (this.now.aborted) return;
    this.reason = reason;
    if (!AT_THE_TURN.has(reason)) this.controller.abort(new Error(reason));
  }
}
