import type { AgentConfig } from '../config/config-schema.js';
import type { RunLog } from '../run/run-log.js';
import type { RunState } from '../run/run-state.js';
import type { Service, WorkItem } from '../service/service.js';
import type { Workspace } from '../workspace/workspace.js';
import type { Connect } from './acp-agent.js';
import type { Answer } from './prompts.js';

/** After these the turn may end, and the session is parked until the issue comes back. */
const AT_THE_TURN = new Set(['paused', 'waiting', 'budget', 'in_review', 'resolved']);

/** How a run ends, as the driver sees it. */
export type Outcome =
  | { kind: 'finish'; status: 'Resolved' | 'PendingReview' | 'Open'; comment: string; reason: string }
  /** Gives the issue back without an attempt. */
  | { kind: 'release'; comment: string; reason: string }
  /** The lease has ended already: nothing is to be reported. */
  | { kind: 'none'; reason: string };

/** All that a driver needs to work on one issue. */
export interface Job {
  readonly item: WorkItem;
  readonly connect: Connect;
  readonly config: AgentConfig;
  readonly command: string[];
  readonly workspace: Workspace;
  readonly service: Service;
  readonly log: RunLog;
  readonly state: RunState;
  readonly stop: Stop;
  readonly mark: string;
  /** Answers that came with the issue, or in a heartbeat since, and that no prompt has carried yet. */
  readonly answers: Answer[];
  /** Changes the state and saves it. */
  update(change: Partial<RunState>): void;
  /** Shows what the agent puts out. */
  say(text: string): void;
}

/** The order to stop a run. Some reasons let the present turn end; the others cancel it. */
export class Stop {
  reason: string | null = null;
  private readonly cancelling = new AbortController();
  private readonly abandoning = new AbortController();
  /** Aborts when the turn must not go on. */
  readonly now = this.cancelling.signal;
  /** Aborts when not even the end of the lease is to be reported: the operator does not wait for the network. */
  readonly abandoned = this.abandoning.signal;

  abandon(): void {
    this.abandoning.abort(new Error('abandoned'));
  }

  request(reason: string): void {
    if (this.now.aborted) return;
    this.reason = reason;
    if (!AT_THE_TURN.has(reason)) this.cancelling.abort(new Error(reason));
  }
}

export const review = (comment: string, reason: string): Outcome => ({
  ...{ kind: 'finish', status: 'PendingReview', comment, reason },
});

export const resolved = ({ review: isReviewed }: AgentConfig, comment: string, reason: string): Outcome =>
  isReviewed
    ? review(comment, 'Done; review is on.')
    : { kind: 'finish', status: 'Resolved', comment, reason };

/** What a stop means for the lease: only the end of the runner leaves it to be given back. */
export function stopped(reason: string | null): Outcome {
  return (reason ?? 'shutdown') === 'shutdown'
    ? { kind: 'release', comment: '', reason: 'The runner was stopped.' }
    : { kind: 'none', reason: reason! };
}
