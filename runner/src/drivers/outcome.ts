import type { AgentConfig } from '../config/config-schema.js';

/** How a run ends, as the driver sees it. */
export type Outcome =
  | { kind: 'finish'; status: 'Resolved' | 'PendingReview' | 'Open'; comment: string; reason: string }
  /** Gives the issue back without an attempt. */
  | { kind: 'release'; reason: string }
  /** The lease has ended already: nothing is to be reported. */
  | { kind: 'none'; reason: string };

const finish = (status: 'Resolved' | 'PendingReview' | 'Open', comment: string, reason: string): Outcome => ({
  ...{ kind: 'finish', status, comment, reason },
});

export const review = (comment: string, reason: string) => finish('PendingReview', comment, reason);

export const givenBack = (comment: string, reason: string) => finish('Open', comment, reason);

export const resolved = (config: AgentConfig, comment: string, reason: string) =>
  config.review ? review(comment, 'Done; review is on.') : finish('Resolved', comment, reason);

/** What a stop means for the lease: only the end of the runner leaves it to be given back. */
export function stopped(reason: string | null): Outcome {
  if (reason !== null && reason !== 'shutdown') return { kind: 'none', reason };
  return { kind: 'release', reason: 'The runner was stopped.' };
}
