import type { IssueAnswer } from '../../../work/gates/answers/gate-answers.repository.js';
import type { IssueRow } from '../../../work/issues/issue-row.js';
import type { BriefField } from '../../../work/issues/leases/brief-changes.js';
import type { StopReason } from '../../../work/issues/leases/stop-reason.js';
import type { AttachedFile } from '../attached-files.repository.js';
import type { NewComment } from '../new-comments.repository.js';

/** What a worker has to do with an issue: begin, go on, or stop. */
export const workStates = ['start', 'continue', 'stop'] as const;
export type WorkState = (typeof workStates)[number];

/** One issue of a worker. */
export interface WorkItem {
  issueId: string;
  /** null when the agent does not see the issue. */
  issue: IssueRow | null;
  token: number;
  /** null for `stop`. */
  expiresAt: Date | null;
  state: WorkState;
  /** Why to stop; null otherwise. */
  reason: StopReason | null;
  /** null for `stop`. */
  brief: string | null;
  changed: BriefField[];
  newComments: NewComment[];
  newAttachments: AttachedFile[];
  answers: IssueAnswer[];
}
