/** How a run ends, as the driver sees it. */
export type Outcome =
  | { kind: 'finish'; status: 'Resolved' | 'PendingReview' | 'Open'; comment: string; reason: string }
  /** Gives the issue back without an attempt. */
  | { kind: 'release'; comment: string; reason: string }
  /** The lease has ended already: nothing is to be reported. */
  | { kind: 'none'; reason: string };

export const review = (comment: string, reason: string): Outcome => ({
  kind: 'finish',
  status: 'PendingReview',
  comment,
  reason,
});

/** What a stop means for the lease: only the end of the runner leaves it to be given back. */
export function stopped(reason: string): Outcome {
  return reason === 'shutdown'
    ? { kind: 'release', comment: '', reason: 'The runner was stopped.' }
    : { kind: 'none', reason };
}
