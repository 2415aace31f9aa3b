/** After these the turn may end, and the session is parked until the issue comes back. */
const AT_THE_TURN = new Set(['paused', 'waiting', 'budget', 'in_review', 'resolved']);

/** The order to stop a run. Some reasons let the present turn end; the others cancel it. */
export class Stop {
  reason: string | null = null;
  private readonly cancelling = new AbortController();
  /** Aborts when the turn must not go on. */
  readonly now = this.cancelling.signal;

  request(reason: string): void {
    if (this.now.aborted) return;
    this.reason = reason;
    if (!AT_THE_TURN.has(reason)) this.cancelling.abort(new Error(reason));
  }
}
